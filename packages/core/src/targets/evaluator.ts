import { type AnyRow, type Field, type FieldKind, fieldReader, type Resource, type View } from '../define/index.ts'
import { idIn, idsOf, idsTitled } from './compare-record.ts'
import { textsOf, textTest } from './compare-text.ts'
import type { Node, Operand, Selection } from './selection.ts'

type Test = (row: AnyRow) => boolean

/** A test for many rows: references are resolved once. */
export function predicateOf(selection: Selection, resource: Resource, view: View): Test {
  return bind(selection.node, resource, view)
}

/** `selectRows` is faster for many rows. */
export function matches(selection: Selection, resource: Resource, row: AnyRow, view: View): boolean {
  return predicateOf(selection, resource, view)(row)
}

export function selectRows<Row extends AnyRow>(
  selection: Selection,
  resource: Resource,
  rows: readonly Row[],
  view: View,
): Row[] {
  return rows.filter(predicateOf(selection, resource, view))
}

function bind(node: Node, resource: Resource, view: View): Test {
  if (node.kind === 'word') return wordTest(node.operand, resource, view)
  if (node.kind === 'not') {
    const test = bind(node.of, resource, view)
    return (row) => !test(row)
  }
  if (node.kind === 'field') {
    const tests = node.any.map((matcher) => matcher(view))
    const read = fieldReader(resource, node.field, view)
    return (row) => {
      const value = read(row)
      return tests.some((test) => test(value))
    }
  }
  const tests = node.of.map((part) => bind(part, resource, view))
  return node.kind === 'all' ? (row) => tests.every((test) => test(row)) : (row) => tests.some((test) => test(row))
}

/** A bare word matches in the title or a searched field, or the ID (behavior P-06); `#12` only the ID. */
function wordTest(operand: Operand, resource: Resource, view: View): Test {
  const [id] = idIn(operand)
  if (operand.text.startsWith('#') && id !== undefined) return (row) => row.id === id
  const inText = textTest(operand)
  const fields = [resource.title, ...resource.search].map((field) => ({
    read: fieldReader(resource, field, view),
    test: searchTest(resource.fields[field], inText, view),
  }))
  return (row) => {
    if (row.id === id) return true
    for (const { read, test } of fields) if (test(read(row))) return true
    return false
  }
}

const referring: ReadonlySet<FieldKind> = new Set(['ref', 'refs', 'id-map'])

/** References are searched by title. */
function searchTest(
  field: Field | undefined,
  test: (text: string) => boolean,
  view: View,
): (value: unknown) => boolean {
  if (!field || !('to' in field) || !referring.has(field.kind))
    return (value) => (typeof value === 'string' ? test(value) : textsOf(value).some(test))
  const ids = new Set(idsTitled(test, field.to, view))
  return (value) => (typeof value === 'number' ? ids.has(value) : idsOf(value).some((id) => ids.has(id)))
}
