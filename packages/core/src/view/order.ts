import { fieldKey, fieldOf, type Resource } from '../define/index.ts'
import { usageError } from '../errors.ts'
import { isNumeric } from '../fields/index.ts'
import { nearest, type Sort, termsOf } from '../targets/index.ts'
import { jsonFields } from './record-json.ts'
import type { Column } from './table.ts'

export { type Sort, sortRows } from '../targets/index.ts'

/** The field by which a list shows problems first; null if there is none. */
export function problemField({ state, facet, fields }: Pick<Resource, 'state' | 'facet' | 'fields'>): string | null {
  if (state) return state.field
  const field = facet === null ? undefined : fields[facet]
  const hasBad = field?.kind === 'choice' && Object.values(field.tones ?? {}).includes('bad')
  return hasBad ? facet : null
}

export function sortFields(resource: Resource, columns: readonly Pick<Column, 'field' | 'kind'>[]): string[] {
  const { field: own, ties } = resource.sort
  const fields = columns.filter(({ kind }) => kind !== 'trend' && kind !== 'days').map(({ field }) => field)
  const unseen = [own, ties].filter((field) => field !== undefined && field !== 'id' && !fields.includes(field))
  return [...new Set([problemField(resource), ...unseen, ...fields].filter((field) => field != null))]
}

export function sortKeyOf(resource: Resource, field: string): string {
  return field === problemField(resource) ? 'ui.list.problemsFirst' : fieldKey(resource, field)
}

/** The order of `name`, or `-cpu` for descending; by default the resource’s own. Errors: `usage`. */
export function parseSort(resource: Resource, text: string | undefined): Sort {
  if (text === undefined) return resource.sort
  const name = text.replace(/^-/, '')
  const field = termsOf(resource).find(name)?.field
  const known = jsonFields(resource)
  if (field === undefined)
    throw usageError('unknownField', { name, near: nearest(name, known), known: known.join(', ') })
  return { field, order: text.startsWith('-') ? 'desc' : 'asc' }
}

/** The order after a click on a column head: numbers largest first, states worst first, texts ascending; a second click reverses, a third restores the resource’s order. */
export function nextSort(resource: Resource, current: Sort, field: string): Sort {
  const isProblems = field === problemField(resource)
  const first = isProblems || isNumeric(fieldOf(resource, field).kind) ? 'desc' : 'asc'
  if (current.field !== field) return { field, order: first }
  if (current.order === first && !isProblems) return { field, order: first === 'asc' ? 'desc' : 'asc' }
  return field === resource.sort.field ? { field, order: first } : resource.sort
}
