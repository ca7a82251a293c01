import { type AnyRow, type Field, fieldOf, fieldValue, isSupported, type Resource, type View } from '../define/index.ts'
import { type AppError, usageError } from '../errors.ts'
import { machineValue } from '../fields/index.ts'
import { textParts } from '../i18n/index.ts'
import { nearest, termsOf } from '../targets/index.ts'

/** The fields of `--json`, by their wire names; secrets only if named. */
export function jsonFields(resource: Resource): string[] {
  const isShown = ([, { hidden, formOnly, kind }]: [string, Field]) =>
    !hidden && !formOnly && kind !== 'trend' && kind !== 'secret'
  const names = Object.entries(resource.fields)
    .filter(isShown)
    .map(([name]) => name)
  return resource.wire.shape === 'many' ? ['id', ...names.filter((name) => name !== 'id')] : names
}

/** A record for `--json`, with the named fields or all; null for fields that the server doesn’t support. */
export function recordJson(
  resource: Resource,
  row: AnyRow,
  fields: readonly string[] | null,
  view: View,
): Record<string, unknown> {
  const names = fields ?? jsonFields(resource)
  const values = names.map((name) => {
    const field = fieldOf(resource, name)
    return [name, isSupported(field, view) ? machineValue(field, fieldValue(resource, row, name, view)) : null]
  })
  return Object.fromEntries(values)
}

/** Field names of a list, aliases resolved. Errors: `usage`. */
export function parseFields(resource: Resource, text: string): string[] {
  const known = jsonFields(resource)
  return listParts(text).map((part) => {
    const name = part.replaceAll('-', '_')
    const found = known.includes(name) ? name : termsOf(resource).find(name)?.field
    if (found !== undefined && known.includes(found)) return found
    if (resource.fields[name]?.kind === 'secret') return name
    throw unknownField(part, known)
  })
}

export function namedFields<Name extends string>(text: string, known: readonly Name[]): readonly Name[] {
  return listParts(text).map((part) => {
    const found = known.find((name) => name === part)
    if (found === undefined) throw unknownField(part, known)
    return found
  })
}

/** Errors: `usage`, with suggestions. */
export function unknownField(name: string, known: readonly string[]): AppError {
  const near = nearest(name, known)
  const hint = near.length > 0 ? { try: `--json ${near.join(',')}` } : {}
  return usageError('unknownField', { name, near, known: known.join(', '), ...hint })
}

export function pickFields<Name extends string>(
  value: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, value[name]]))
}

/** Parts of a list. An empty text is one empty part, which is refused as an unknown name. */
export function listParts(text: string): string[] {
  const parts = textParts(text)
  return parts.length > 0 ? parts : ['']
}
