import { Box, type DOMElement } from 'ink'
import { memo, useContext, useLayoutEffect, useRef } from 'react'
import { InsetContext, PlacedRowsContext, useArea, useLive, useScreenStyle, useValue } from '../hooks.ts'
import type { Area } from '../state/screen.ts'
import { fitLine, isSameStyle, type Line, line, ruleLine, span } from '../terminal/line.ts'
import type { TextInput as Input } from '../terminal/text-input.ts'

/** A line in its place, cut to the terminal. Redrawn only when its content changes. */
export const Row = memo(
  ({ line }: { readonly line: Line }) => {
    const style = useScreenStyle()
    const placed = useContext(PlacedRowsContext)
    const inset = useContext(InsetContext)
    const box = useRef<DOMElement>(null)
    useLayoutEffect(() => placed.put(box.current!, inset(line), style), [placed, line, style, inset])
    return <Box ref={box} height={1} />
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
