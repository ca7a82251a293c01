import { Box } from 'ink'
import type { ReactNode } from 'react'
import { cutTo, widthOf } from '../../base/output/width.ts'
import { useArea } from '../hooks.ts'
import { line, span, wrapText } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'
import { Row, Rows } from './rows.tsx'

interface DialogProps {
  readonly title: string
  readonly cells: number
  readonly children: ReactNode
}

export const frameCells = 4

export function Dialog({ title, cells, children }: DialogProps) {
  const { columns } = useArea()
  const head = ` ${cutTo(title, cells - frameCells - 1, '…')} `
  const edge = `${'─'.repeat(Math.max(0, cells - 2 - widthOf(head)))}┐`
  return (
    <Box flexDirection="column" flexShrink={0} width={cells} marginLeft={Math.floor((columns - cells) / 2)}>
      <Row line={[span('┌', 'rule'), span(head, 'bold'), span(edge, 'rule')]} />
      <Box flexDirection="column" flexShrink={0} borderStyle="single" borderTop={false} paddingX={1}>
        {children}
      </Box>
    </Box>
  )
}

export function Gap() {
  return <Box height={1} flexShrink={0} />
}

export function Paragraph({ text, cells, styleRole = 'plain' }: { text: string; cells: number; styleRole?: Role }) {
  return <Rows lines={wrapText(text, cells).map((row) => line(row, styleRole))} />
}

export function Problem({ text, cells }: { text: string; cells: number }) {
  return (
    <>
      <Gap />
      <Paragraph text={`✗ ${text}`} cells={cells} styleRole="bad" />
    </>
  )
}
