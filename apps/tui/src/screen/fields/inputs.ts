import type { Field, FieldKind } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { isOpenSecret } from './secrets.ts'

/**
 * How a value is typed: `line` in place, `secret` in place without showing it, `editor` in the person's editor (and in place while it is
 * one line), `choice` among a few, `flag` on or off, `picker` among records, `none` never.
 */
export type InputKind = 'line' | 'secret' | 'editor' | 'choice' | 'flag' | 'picker' | 'none'

/** Every field kind in a form. */
const inputKinds = {
  text: 'line',
  note: 'editor',
  secret: 'secret',
  command: 'editor',
  schedule: 'line',
  address: 'line',
  version: 'line',
  number: 'line',
  duration: 'line',
  bytes: 'line',
  rate: 'line',
  percent: 'line',
  trend: 'none',
  flag: 'flag',
  choice: 'choice',
  ref: 'picker',
  refs: 'picker',
  list: 'line',
  'id-map': 'line',
  instant: 'line',
  reach: 'none',
  part: 'none',
  rules: 'editor',
  days: 'none',
  reading: 'none',
} satisfies Record<FieldKind, InputKind>

/** How a field is typed. Records of a resource that is not here cannot be picked: their id is typed. */
export function inputKindOf(field: Field): InputKind {
  if (isOpenSecret(field)) return field.kind === 'secret' && field.lines ? 'editor' : 'line'
  return 'to' in field && !resourceByName(field.to) ? 'line' : inputKinds[field.kind]
}
