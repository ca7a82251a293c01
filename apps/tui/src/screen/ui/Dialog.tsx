import { Box } from 'ink'
import type { ReactNode } from 'react'
import { cutTo, widthOf } from '../../base/output/width.ts'
import { useArea, useScreenStyle } from '../hooks.ts'
import { wrapText } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'
import { Words } from './rows.tsx'

interface DialogProps {
  readonly title: string
  readonly cells: number
  readonly children: ReactNode
}

export const frameCells = 4

export function Dialog({ title, cells, children }: DialogProps) {
  const { columns } = useArea()
  const { theme } = useScreenStyle()
  const { color, dimColor = false } = theme.rule
  const head = ` ${cutTo(title, cells - frameCells - 1, '…')} `
  return (
    <Box flexDirection="column" flexShrink={0} width={cells} marginLeft={Math.floor((columns - cells) / 2)}>
      <Words styleRole="rule">
        {'┌'}
        <Words styleRole={['text', 'bold']}>{head}</Words>
        {`${'─'.repeat(Math.max(0, cells - 2 - widthOf(head)))}┐`}
      </Words>
      <Box
        flexDirection="column"
        flexShrink={0}
        borderStyle="single"
        borderTop={false}
        {...(color && { borderColor: color })}
        borderDimColor={dimColor}
        paddingX={1}
      >
        {children}
      </Box>
    </Box>
  )
}

export function Gap() {
  return <Box height={1} flexShrink={0} />
}

export function Paragraph({ text, cells, styleRole = 'text' }: { text: string; cells: number; styleRole?: Role }) {
  return wrapText(text, cells).map((row, at) => (
    <Words key={at} styleRole={styleRole}>
      {row || ' '}
    </Words>
  ))
}

export function Problem({ text, cells }: { text: string; cells: number }) {
  return (
    <>
      <Gap />
      <Paragraph text={`✗ ${text}`} cells={cells} styleRole="bad" />
    </>
  )
}
