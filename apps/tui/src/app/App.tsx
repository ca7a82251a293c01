import { Box, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { paintLine } from '../terminal/look.ts'
import { frameLines } from './frame.ts'
import type { Ui } from './ui.ts'

/** Tells the screen when to draw. */
export interface Ticker {
  subscribe(listener: () => void): () => void
  /** Rises with every frame that is to be drawn. */
  count(): number
}

/** The whole screen: one text per row, each fitted and painted already. */
export function App({ ui, ticker }: { ui: Ui; ticker: Ticker }) {
  useSyncExternalStore(ticker.subscribe, ticker.count)
  const rows = frameLines(ui).map((drawn) => paintLine(ui.look, drawn))
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its number
        <Text key={index} wrap="truncate-end">
          {row === '' ? ' ' : row}
        </Text>
      ))}
    </Box>
  )
}
