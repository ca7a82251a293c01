import { Box } from 'ink'
import type { Line } from '../terminal/line.ts'
import { Row } from './Row.tsx'

/** Lines that were fitted already, one row each. */
export function Rows({ lines }: { lines: readonly Line[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, row) => (
        <Row key={row} line={line} />
      ))}
    </Box>
  )
}
