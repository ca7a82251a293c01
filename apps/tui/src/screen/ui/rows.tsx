import { useValue } from '@legendapp/state/react'
import { Box, Text } from 'ink'
import { memo, type ReactNode, useRef } from 'react'
import { cutTo, padTo, widthOf } from '../../base/output/width.ts'
import { useScreenStyle } from '../hooks.ts'
import { isSameStyle, type Line, type Span } from '../terminal/line.ts'
import { asciiTrack, type ScreenStyle } from '../terminal/screen-style.ts'
import type { TextInput as Input } from '../terminal/text-input.ts'
import { type Role, styleOf, type TextStyle } from '../terminal/theme.ts'

/** A row of the screen that was fitted already. One that says the same as before is not drawn again. */
export const Row = memo(
  ({ line }: { readonly line: Line }) => (
    <Words>
      <Pieces line={joined(line)} />
    </Words>
  ),
  (before, after) => isSame(before.line, after.line),
)

const grounds: readonly Role[] = ['focus', 'marked']

/** Neighbours of one look in one piece; blanks belong to any look on the same ground. A row without a text keeps its height. */
function joined(line: Line): Line {
  const pieces: Span[] = []
  for (const { text, roles } of line) {
    const last = pieces.at(-1)
    if (text === '') continue
    if (last && (isSameStyle(last.roles, roles) || (text.trim() === '' && isSameGround(last.roles, roles))))
      pieces[pieces.length - 1] = { ...last, text: last.text + text }
    else pieces.push({ text, roles })
  }
  return pieces.length === 0 ? [{ text: ' ', roles: [] }] : pieces
}

function isSameGround(one: readonly Role[], other: readonly Role[]): boolean {
  const ground = (roles: readonly Role[]) => roles.findLast((role) => grounds.includes(role))
  return ground(one) === ground(other)
}

function isSame(before: Line, after: Line): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every(({ text, roles }, at) => text === after[at]!.text && isSameStyle(roles, after[at]!.roles)))
  )
}

interface WordsProps {
  /** What it is; of several roles the later one wins. */
  readonly styleRole?: Role | readonly Role[]
  readonly bold?: boolean
  readonly children?: ReactNode
}

/** The props of `<Text>` for roles, and a text of theirs. */
function shownAs(
  { theme, ascii }: Pick<ScreenStyle, 'theme' | 'ascii'>,
  roles: readonly Role[],
  text: string,
): { readonly style: TextStyle; readonly text: string } {
  return { style: styleOf(theme, roles), text: ascii && roles.includes('track') ? asciiTrack(text) : text }
}

/** A piece of text by what it is. The outermost one is a row of the screen, cut where it does not fit; those inside only change the look. */
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

/** Pieces of a row, within the `<Words>` that is the row. Those that say the same as before stay the same elements, which React passes over. */
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

interface TextInputProps {
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused?: boolean
}

/** A text that is being typed, within a row: as much of it as has room, with its cursor. */
export function TextInput({ input, cells, isSecret = false, isFocused = true }: TextInputProps) {
  useValue(input.version$)
  return <Pieces line={input.draw(cells, { secret: isSecret, focused: isFocused })} />
}

interface RuleProps {
  readonly title: string
  /** Behind the title, apart from it: of what it is about. */
  readonly about?: string
  /** Near the right end, muted. */
  readonly right?: string
  readonly cells: number
}

/** A rule across the screen that begins a section: `─ Title ─── 3 chosen ──`. */
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

/** The text as exactly so many cells: cut with `…`, or filled with blanks. */
export function fitText(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  return cells <= 0 ? '' : padTo(cutTo(text, cells, '…'), cells, align)
}

interface FieldProps {
  /** Empty where the row above says it. */
  readonly label: string
  readonly labelCells: number
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused: boolean
}

/** A row with a name and what is typed for it. */
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
  /** What stands before the text, e.g. `/`. */
  readonly mark: string
  readonly styleRole: Role
  readonly input: Input
  readonly isFocused?: boolean
  readonly columns: number
  readonly cells: number
  /** At the right end, muted. */
  readonly right: string
}

/** A row in which a search is typed. */
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

/** The first of so many rows that are shown, so that the one with the focus is in sight. */
export function firstInSight(count: number, focus: number, room: number): number {
  return Math.max(0, Math.min(focus - room + 1, count - room))
}

/** Which of them stands in a row of a list with a title, whose row is 0; null for none. */
export function pressedAt(
  row: number,
  { count, focus, room }: Record<'count' | 'focus' | 'room', number>,
): number | null {
  return row < 1 || row > Math.min(room, count) ? null : firstInSight(count, focus, room) + row - 1
}
