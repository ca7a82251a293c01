import { Box } from 'ink'
import { type ReactNode, useCallback } from 'react'
import { cutTo, widthOf } from '../../base/output/width.ts'
import { InsetContext, useArea } from '../hooks.ts'
import { blank, fitLine, type Line, line, span, wrapText } from '../terminal/line.ts'
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
  const left = Math.floor((columns - cells) / 2)
  const inset = useCallback(
    (row: Line): Line => [blank(left), span('│ ', 'rule'), ...fitLine(row, cells - frameCells), span(' │', 'rule')],
    [left, cells],
  )
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Row line={[blank(left), span('┌', 'rule'), span(head, 'bold'), span(edge, 'rule')]} />
      <InsetContext value={inset}>{children}</InsetContext>
      <Row line={[blank(left), span(`└${'─'.repeat(Math.max(0, cells - 2))}┘`, 'rule')]} />
    </Box>
  )
}

export function Gap() {
  return <Row line={[]} />
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
