import { Text } from 'ink'
import { type ReactNode, useRef } from 'react'
import { useLook } from '../hooks/use-look.ts'
import { isSameLook, type Line } from '../terminal/line.ts'
import type { Look } from '../terminal/look.ts'
import { shownAs } from './Words.tsx'

/** Pieces of a row, within the `<Words>` that is the row. Those that say the same as before stay the same elements, which React passes over. */
export function Pieces({ line }: { line: Line }) {
  const look = useLook()
  const drawn = useRef<{ look: Look; line: Line; pieces: readonly ReactNode[] } | null>(null)
  const before = drawn.current?.look === look ? drawn.current : null
  const pieces = line.map((piece, at) => {
    if (piece.roles.length === 0) return piece.text
    const known = before?.line[at]
    if (known?.text === piece.text && isSameLook(known.roles, piece.roles)) return before!.pieces[at]
    const { style, text } = shownAs(look, piece.roles, piece.text)
    return (
      <Text key={at} {...style}>
        {text}
      </Text>
    )
  })
  drawn.current = { look, line, pieces }
  return pieces
}
