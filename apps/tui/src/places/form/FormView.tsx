import { Box } from 'ink'
import { useArea, useLive } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import { fitLine, type Line, line, span } from '../../screen/terminal/line.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { type LaidForm, sideCells } from './form-layout.ts'

export function FormView({ lay }: { lay(area: Area): LaidForm }) {
  const area = useArea()
  const laid = useLive(() => lay(area))
  const { blocks, top, side, height, below, cli } = laid
  const fields = [[], ...blocks.flatMap(({ lines }) => lines)].slice(top, top + height)
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      {side ? (
        <>
          <Edge joint="┬" columns={area.columns} />
          <Rows lines={besides(fields, laid, side)} />
          <Edge joint="┴" columns={area.columns} />
        </>
      ) : (
        <Box height={height} flexShrink={0}>
          <Rows lines={fields} />
        </Box>
      )}
      <Rows lines={below} />
      {cli && <Row line={cli} />}
    </Box>
  )
}

function besides(fields: readonly Line[], { cells, height }: LaidForm, side: readonly Line[]): Line[] {
  return Array.from({ length: height }, (_, row) => [
    ...fitLine(fields[row] ?? [], cells),
    span('│ ', 'rule'),
    ...(side[row - 1] ?? []),
  ])
}

function Edge({ joint, columns }: { joint: string; columns: number }) {
  const left = columns - sideCells - 2
  return <Row line={line('─'.repeat(left) + joint + '─'.repeat(sideCells + 1), 'rule')} />
}
