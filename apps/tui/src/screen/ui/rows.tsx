import { Box, Text } from 'ink'
import { memo, type ReactNode, useContext, useInsertionEffect, useRef, useState } from 'react'
import { cutTo, padTo, widthOf } from '../../base/output/width.ts'
import { PlacedRowsContext, useArea, useLive, useScreenStyle, useValue } from '../hooks.ts'
import type { Area } from '../state/screen.ts'
import { isSameStyle, type Line } from '../terminal/line.ts'
import { asciiTrack, paintLine, type ScreenStyle } from '../terminal/screen-style.ts'
import type { TextInput as Input } from '../terminal/text-input.ts'
import { type Role, styleOf, type TextStyle } from '../terminal/theme.ts'

/** A line in its place. Redrawn only when its content changes. */
export const Row = memo(
  ({ line }: { readonly line: Line }) => {
    const style = useScreenStyle()
    const placed = useContext(PlacedRowsContext)
    const [row] = useState(() => placed.add())
    useInsertionEffect(() => row?.set(line, style), [row, line, style])
    useInsertionEffect(() => () => row?.remove(), [row])
    return <Text wrap="truncate">{row?.mark ?? (paintLine(style, line) || ' ')}</Text>
  },
  (before, after) => isSame(before.line, after.line),
)

function isSame(before: Line, after: Line): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every(({ text, roles }, at) => text === after[at]!.text && isSameStyle(roles, after[at]!.roles)))
  )
}

interface WordsProps {
  readonly styleRole?: Role | readonly Role[]
  readonly bold?: boolean
  readonly children?: ReactNode
}

function shownAs(
  { theme, ascii }: Pick<ScreenStyle, 'theme' | 'ascii'>,
  roles: readonly Role[],
  text: string,
): { readonly style: TextStyle; readonly text: string } {
  return { style: styleOf(theme, roles), text: ascii && roles.includes('track') ? asciiTrack(text) : text }
}

/** The outermost one is a row, cut to fit; nested ones only change the style. */
export function Words({ styleRole: given = 'text', bold = false, children }: WordsProps) {
  const style = useScreenStyle()
  const roles: readonly Role[] = typeof given === 'string' ? [given] : given
  const { style: textStyle, text } = shownAs(style, roles, typeof children === 'string' ? children : '')
  return (
    <Text {...textStyle} bold={textStyle.bold || bold} wrap="truncate">
      {typeof children === 'string' ? text : children}
    </Text>
  )
}

/** Unchanged pieces keep their elements, so that React skips them. */
export function Pieces({ line }: { line: Line }) {
  const style = useScreenStyle()
  const drawn = useRef<{ style: ScreenStyle; line: Line; pieces: readonly ReactNode[] } | null>(null)
  const before = drawn.current?.style === style ? drawn.current : null
  const pieces = line.map((piece, at) => {
    if (piece.roles.length === 0) return piece.text
    const known = before?.line[at]
    if (known?.text === piece.text && isSameStyle(known.roles, piece.roles)) return before!.pieces[at]
    const { style: textStyle, text } = shownAs(style, piece.roles, piece.text)
    return (
      <Text key={at} {...textStyle}>
        {text}
      </Text>
    )
  })
  drawn.current = { style, line, pieces }
  return pieces
}

export function Rows({ lines }: { lines: readonly Line[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, row) => (
        <Row key={row} line={line} />
      ))}
    </Box>
  )
}

/** The lines of a screen that only its area shapes, as they are now. */
export function LiveRows({ lines }: { lines(area: Area): readonly Line[] }) {
  const area = useArea()
  return <Rows lines={useLive(() => lines(area))} />
}

interface TextInputProps {
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused?: boolean
}

export function TextInput({ input, cells, isSecret = false, isFocused = true }: TextInputProps) {
  return <Pieces line={useValue(() => input.draw(cells, { secret: isSecret, focused: isFocused }))} />
}

interface RuleProps {
  readonly title: string
  readonly about?: string
  readonly right?: string
  readonly cells: number
}

/** `─ Title ─── 3 selected ──` */
export function Rule({ title, about = '', right = '', cells }: RuleProps) {
  const tail = right === '' ? 0 : widthOf(right) + 4
  const head = title === '' ? '' : cutTo(title, Math.max(0, cells - tail - 3), '…')
  const below = about === '' ? '' : cutTo(about, Math.max(0, cells - tail - widthOf(head) - 6), '…')
  const used = (head === '' ? 0 : widthOf(head) + 3) + (below === '' ? 0 : widthOf(below) + 3) + tail
  return (
    <Words styleRole="rule">
      {head === '' ? '' : '─ '}
      <Words styleRole={['text', 'bold']}>{head}</Words>
      {below === '' ? '' : <Words styleRole="muted">{' › '}</Words>}
      <Words>{below}</Words>
      {head === '' ? '' : ' '}
      {'─'.repeat(Math.max(0, cells - used))}
      {right === '' ? '' : <Words styleRole="muted">{` ${right} `}</Words>}
      {right === '' ? '' : '──'}
    </Words>
  )
}

export function fitText(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  return cells <= 0 ? '' : padTo(cutTo(text, cells, '…'), cells, align)
}

interface FieldProps {
  readonly label: string
  readonly labelCells: number
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused: boolean
}

export function Field({ label, labelCells, input, cells, isSecret = false, isFocused }: FieldProps) {
  return (
    <Words>
      <Words styleRole="accent">{isFocused ? '▌ ' : '  '}</Words>
      <Words styleRole={isFocused ? 'bold' : 'muted'}>{fitText(label, labelCells)}</Words>
      <TextInput input={input} cells={cells - labelCells - 3} isSecret={isSecret} isFocused={isFocused} />
    </Words>
  )
}

interface SearchLineProps {
  readonly mark: string
  readonly styleRole: Role
  readonly input: Input
  readonly isFocused?: boolean
  readonly columns: number
  readonly cells: number
  readonly right: string
}

export function SearchLine({ mark, styleRole, input, isFocused = true, columns, cells, right }: SearchLineProps) {
  return (
    <Box width={columns} height={1} flexShrink={0} justifyContent="space-between">
      <Words>
        <Words styleRole={styleRole}>{mark}</Words>
        <TextInput input={input} cells={cells} isFocused={isFocused} />
      </Words>
      <Box flexShrink={0}>
        <Words styleRole="muted">{right}</Words>
      </Box>
    </Box>
  )
}

/** First visible row, so that the focused one is visible. */
export function firstVisible(count: number, focus: number, room: number): number {
  return Math.max(0, Math.min(focus - room + 1, count - room))
}

/** Item at a row of a titled list; null for none. */
export function pressedAt(
  row: number,
  { count, focus, room }: Record<'count' | 'focus' | 'room', number>,
): number | null {
  return row < 1 || row > Math.min(room, count) ? null : firstVisible(count, focus, room) + row - 1
}
