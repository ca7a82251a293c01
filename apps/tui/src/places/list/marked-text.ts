import { type Line, span } from '../../screen/terminal/line.ts'
import type { Role } from '../../screen/terminal/theme.ts'

/** A text with roles for some of its parts, which come in their order. */
export function markedText(text: string, parts: readonly { from: number; to: number; role: Role }[]): Line {
  let at = 0
  const pieces = parts.flatMap(({ from, to, role }) => {
    const before = text.slice(at, from)
    at = to
    return [span(before), span(text.slice(from, to), role)]
  })
  return [...pieces, span(text.slice(at))].filter((piece) => piece.text !== '')
}
