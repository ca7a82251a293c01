import { type AnyRow, type FormShape, fieldOf, type Resource, type Values } from '../define/index.ts'
import { hasSelection } from '../resources/index.ts'
import type { FormModel } from './form.ts'

/** Puts the servers that a query matches into a form. What was typed wins. Returns the fields it set; none if the form follows the query. */
export function fillTargets(
  resource: Resource,
  form: FormModel,
  { targets, typed, query }: { targets: readonly number[]; typed: readonly string[]; query: string },
): readonly string[] {
  const wrong = new Set(form.problems().map(({ field }) => field))
  const all = Object.entries(resource.withTargets?.(form.values(), targets) ?? {})
  const isTyped = (field: string) =>
    typed.includes(field) && (fieldOf(resource, field).kind === 'choice' || wrong.has(field))
  const values = all.filter(([field]) => !isTyped(field))
  for (const [field, value] of values) form.set(field, value)
  const filled = values.map(([field]) => field)
  if (!hasSelection(resource) || values.length < all.length) return filled
  form.set('server_query', query)
  return form.values().follows === true ? [] : filled
}

/** Whether a new record is for no servers, although its form chooses some and none were typed: probably a mistake. */
export function isUntargeted(
  { withTargets, fields, targets }: Resource,
  input: Values,
  typed: readonly string[],
): boolean {
  const kindOf = (field: string) => fieldOf({ fields }, field).kind
  const isChosen = Object.keys(withTargets?.(input, []) ?? {}).some((field) => kindOf(field) === 'choice')
  if (!isChosen || !targets || typed.some((field) => kindOf(field) === 'refs')) return false
  const { mode, servers } = targets(input as AnyRow)
  return mode === 'only' && servers.length === 0
}

export function hasSecrets({ form, fields }: FormShape): boolean {
  return form.some((group) => group.fields.some(({ field }) => fieldOf({ fields }, field).kind === 'secret'))
}
