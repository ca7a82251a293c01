import { isCertain, widthOf } from '../../base/output/width.ts'
import { memoize } from '../terminal/memoize.ts'

/** Cache size of texts that need a lookup; each frame measures its lines again. */
const maxTexts = 400
const lookedUp = memoize(maxTexts, widthOf)

/** Replaces `string-width` for Ink with our width function. */
export default function stringWidth(painted: string): number {
  const text = painted.includes('\u001b') ? painted.replace(/\u001b(?:\[[\d;:]*m)?/g, '') : painted
  return isCertain(text) ? text.length : lookedUp(text)
}
