import { memo } from 'react'
import { isSameLook, type Line, type Span } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'
import { Pieces } from './Pieces.tsx'
import { Words } from './Words.tsx'

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
    if (last && (isSameLook(last.roles, roles) || (text.trim() === '' && isSameGround(last.roles, roles))))
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
      before.every(({ text, roles }, at) => text === after[at]!.text && isSameLook(roles, after[at]!.roles)))
  )
}
