import { Box, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import type { Ui } from '../state/ui.ts'
import { paintLine } from '../terminal/look.ts'
import type { RowReferences } from '../terminal/row-references.ts'
import { frameLines } from './frame.ts'

/** Tells the screen when to draw. */
export interface Ticker {
  subscribe(listener: () => void): () => void
  /** Rises with every frame that is to be drawn. */
  count(): number
}

/** The whole screen: a reference per row, each row fitted and painted already. */
export function App({ ui, ticker, references }: { ui: Ui; ticker: Ticker; references: Pick<RowReferences, 'refer'> }) {
  useSyncExternalStore(ticker.subscribe, ticker.count)
  const rows = references.refer(frameLines(ui).map((drawn) => paintLine(ui.look, drawn)))
  return (
    <Box flexDirection="column">
      {rows.map((reference, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its number
        <Text key={index}>{reference}</Text>
      ))}
    </Box>
  )
}
