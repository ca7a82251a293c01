import { isCertain, widthOf } from '../../base/output/width.ts'
import { memoize } from '../terminal/memoize.ts'

/** Texts with signs that have to be looked up; each frame measures its lines again. */
const maxTexts = 400
const lookedUp = memoize(maxTexts, widthOf)

/** Cells that a painted text takes: what stands in for `string-width` below Ink, by the one width of this program. */
export default function stringWidth(painted: string): number {
  const text = painted.includes('\u001b') ? painted.replace(/\u001b(?:\[[\d;:]*m)?/g, '') : painted
  return isCertain(text) ? text.length : lookedUp(text)
}
