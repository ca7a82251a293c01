import { Box, Text } from 'ink'
import { memo, type ReactNode, useContext, useInsertionEffect, useState } from 'react'
import { PlacedRowsContext, useArea, useLive, useScreenStyle, useValue } from '../hooks.ts'
import type { Area } from '../state/screen.ts'
import { fitLine, isSameStyle, type Line, line, ruleLine, span } from '../terminal/line.ts'
import { asciiTrack, paintLine } from '../terminal/screen-style.ts'
import type { TextInput as Input } from '../terminal/text-input.ts'
import { type Role, styleOf } from '../terminal/theme.ts'

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

/** The outermost one is a row, cut to fit; nested ones only change the style. */
export function Words({ styleRole: given = 'text', bold = false, children }: WordsProps) {
  const style = useScreenStyle()
  const roles: readonly Role[] = typeof given === 'string' ? [given] : given
  const textStyle = styleOf(style.theme, roles)
  const isTrack = style.ascii && roles.includes('track')
  return (
    <Text {...textStyle} bold={textStyle.bold || bold} wrap="truncate">
      {isTrack && typeof children === 'string' ? asciiTrack(children) : children}
    </Text>
  )
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
  readonly before: Line
  readonly input: Input
  readonly cells: number
  readonly isSecret?: boolean
  readonly isFocused?: boolean
}

export function TextInput({ before, input, cells, isSecret = false, isFocused = true }: TextInputProps) {
  const drawn = useValue(() => input.draw(cells, { secret: isSecret, focused: isFocused }))
  return <Row line={[...before, ...drawn]} />
}

/** `─ Title ─── 3 selected ──` */
export function Rule({ title, right = '', cells }: { title: string; right?: string; cells: number }) {
  return <Row line={ruleLine([span(title, 'bold')], cells, line(right, 'muted'))} />
}

interface FieldProps extends Omit<TextInputProps, 'before'> {
  readonly label: string
  readonly labelCells: number
}

export function Field({ label, labelCells, cells, ...given }: FieldProps) {
  const { isFocused = true } = given
  const before = [
    span(isFocused ? '▌ ' : '  ', 'accent'),
    ...fitLine(line(label, isFocused ? 'bold' : 'muted'), labelCells),
  ]
  return <TextInput before={before} cells={cells - labelCells - 3} {...given} />
}
