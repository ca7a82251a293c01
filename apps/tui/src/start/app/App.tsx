import { useSyncExternalStore } from 'react'
import type { Ui } from '../../screen/state/ui.ts'
import { Frame } from './Frame.tsx'

/** Tells the screen when to draw. */
export interface Ticker {
  subscribe(listener: () => void): () => void
  /** Rises with every frame that is to be drawn. */
  count(): number
}

/** The whole screen, drawn with every beat. */
export function App({ ui, ticker }: { ui: Ui; ticker: Ticker }) {
  useSyncExternalStore(ticker.subscribe, ticker.count)
  return <Frame ui={ui} />
}
