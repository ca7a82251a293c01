import { Text } from 'ink'
import { useLook } from '../hooks/use-look.ts'
import type { Line } from '../terminal/line.ts'
import { shownAs } from './Words.tsx'

/** Pieces of a row, within the `<Words>` that is the row. */
export function Pieces({ line }: { line: Line }) {
  const look = useLook()
  return line.map((piece, at) => {
    if (piece.roles.length === 0) return piece.text
    const { style, text } = shownAs(look, piece.roles, piece.text)
    return (
      <Text key={at} {...style}>
        {text}
      </Text>
    )
  })
}
