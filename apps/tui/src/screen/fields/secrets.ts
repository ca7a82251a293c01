import type { AnyRow, Field } from '@qd/core/define'

type Secret = Extract<Field, { kind: 'secret' }>

/** True for secrets that a person has to see while typing: templates and texts of several lines. What is stored is never shown. */
export function isOpenSecret(field: Field): boolean {
  return field.kind === 'secret' && (field.lines === true || field.template === true)
}

/** True if the edited record is known to have one: then the secret is required, or a field of its own says whether one is stored. */
export function isStored({ needed, has }: Secret, base: AnyRow | null): boolean {
  return base !== null && (needed === true || (has !== undefined && base[has] === true))
}
