import { Box } from 'ink'
import { useArea, useLive } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import { type Line, line, span } from '../../screen/terminal/line.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { type LaidForm, sideCells } from './form-layout.ts'

export function FormView({ lay }: { lay(area: Area): LaidForm }) {
  const area = useArea()
  const laid = useLive(() => lay(area))
  const { side, height, below, cli } = laid
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      {side ? (
        <>
          <Edge joint="┬" columns={area.columns} />
          <Box height={height} flexShrink={0}>
            <Fields {...laid} />
            <Side lines={side} height={height} />
          </Box>
          <Edge joint="┴" columns={area.columns} />
        </>
      ) : (
        <Fields {...laid} />
      )}
      <Rows lines={below} />
      {cli && <Row line={cli} />}
    </Box>
  )
}

function Fields({ blocks, cells, height, top }: LaidForm) {
  return (
    <Box flexDirection="column" width={cells} height={height} flexShrink={0}>
      <Rows lines={[[], ...blocks.flatMap(({ lines }) => lines)].slice(top, top + height)} />
    </Box>
  )
}

function Side({ lines, height }: { lines: readonly Line[]; height: number }) {
  return <Rows lines={Array.from({ length: height }, (_, row) => [span('│ ', 'rule'), ...(lines[row - 1] ?? [])])} />
}

function Edge({ joint, columns }: { joint: string; columns: number }) {
  const left = columns - sideCells - 2
  return <Row line={line('─'.repeat(left) + joint + '─'.repeat(sideCells + 1), 'rule')} />
}
