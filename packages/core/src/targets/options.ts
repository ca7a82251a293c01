import { type AnyRow, fieldReader, type Resource, type View } from '../define/index.ts'
import type { Node, Selection } from './selection.ts'

/** Number of rows per option of the facet field, and of its counted flag; empty without a facet. */
export function countOptions(resource: Resource, rows: readonly AnyRow[], view: View): Record<string, number> {
  const field = facetField(resource)
  const counts: Record<string, number> = {}
  if (!field) return counts
  const names = new Map<unknown, string>(Object.entries(field.definition.options).map(([name, value]) => [value, name]))
  const count = (option: string) => {
    counts[option] = (counts[option] ?? 0) + 1
  }
  const read = fieldReader(resource, field.name, view)
  for (const row of rows) {
    const option = names.get(read(row))
    if (option !== undefined) count(option)
  }
  if (resource.counted === null) return counts
  const isCounted = fieldReader(resource, resource.counted, view)
  for (const row of rows) if (isCounted(row) === true) count(resource.counted)
  return counts
}

/** The facet’s options that a query allows, so that a database can filter by them; null: any. `whole`: the query has no other terms. */
export function optionsOf(
  { node }: Selection,
  resource: Resource,
  view: View,
): { options: readonly string[] | null; whole: boolean } {
  const field = facetField(resource)
  const parts = node.kind === 'all' ? node.of : [node]
  const about = field ? parts.filter((part) => isAbout(part, field.name)) : []
  const whole = about.length === parts.length
  if (!field || about.length === 0) return { options: null, whole }
  const options = Object.entries(field.definition.options)
    .filter(([, value]) => about.every((part) => allows(part, value, view)))
    .map(([option]) => option)
  return { options, whole }
}

function facetField({ facet, fields }: Resource) {
  const definition = facet === null ? undefined : fields[facet]
  return facet !== null && definition?.kind === 'choice' ? { name: facet, definition } : null
}

/** Whether a node only tests this field. */
function isAbout(node: Node, field: string): boolean {
  if (node.kind === 'word') return false
  if (node.kind === 'field') return node.field === field
  return node.kind === 'not' ? isAbout(node.of, field) : node.of.every((part) => isAbout(part, field))
}

function allows(node: Node, value: unknown, view: View): boolean {
  if (node.kind === 'word') return true
  if (node.kind === 'field') return node.any.some((matcher) => matcher(view)(value))
  if (node.kind === 'not') return !allows(node.of, value, view)
  return node.kind === 'all'
    ? node.of.every((part) => allows(part, value, view))
    : node.of.some((part) => allows(part, value, view))
}
