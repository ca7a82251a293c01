import { type AnyRow, type Field, fieldOf, fieldValue, isSupported, type Resource, type View } from '../define/index.ts'
import { machineValue } from '../fields/index.ts'

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
