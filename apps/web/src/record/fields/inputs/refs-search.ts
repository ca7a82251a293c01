import type { AnyRow, Field, Resource, View } from '@qd/core/define'
import { fieldValue, isSupported, titleOf } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { type Parsed, parseInput } from '@qd/core/fields'
import { parseSelection, predicateOf, type SelectionProblem } from '@qd/core/targets'

export interface PickerOption {
  key: string
  kind: 'all' | 'group' | 'record' | 'new'
  text: string
  extra: string
  ids: readonly number[]
}

const recordsShown = 50

export type RefField = Extract<Field, { kind: 'ref' | 'refs' }>

function groupings(to: Resource, view: View): readonly (readonly [string, Extract<Field, { kind: 'refs' }>])[] {
  return Object.entries(to.fields).flatMap(([name, field]) =>
    field.kind === 'refs' && name in to.derived && isSupported(field, view) ? [[name, field] as const] : [],
  )
}

function groupOptions(to: Resource, needle: string, view: View): PickerOption[] {
  return groupings(to, view).flatMap(([name, field]) => {
    const members = new Map<number, number[]>()
    for (const row of view.all(to.name)) {
      for (const group of fieldValue(to, row, name, view) as readonly number[]) {
        members.set(group, [...(members.get(group) ?? []), row.id])
      }
    }
    return [...members]
      .map(([id, ids]) => ({ id, ids, text: view.title(field.to, id) ?? `#${id}` }))
      .filter(({ text }) => text.toLowerCase().includes(needle))
      .map(({ id, ids, text }) => ({ key: `group:${name}:${id}`, kind: 'group' as const, text, extra: field.to, ids }))
  })
}

const unfinished: readonly SelectionProblem['code'][] = ['noValue', 'openQuote', 'openParen', 'dangling']

/** Rows that match: by selection language, by its valid part while typing, else by title. */
function matcher(to: Resource, typed: string, view: View): (row: AnyRow) => boolean {
  const parsed = parseSelection(to, typed)
  if (parsed.ok) return predicateOf(parsed.selection, to, view)
  if (unfinished.includes(parsed.problem.code))
    return predicateOf(parseSelection(to, typed, { partial: true }).selection, to, view)
  const needle = typed.trim().toLowerCase()
  return (row) => titleOf(to, row).toLowerCase().includes(needle)
}

export function optionsFor(
  to: Resource,
  { typed, chosen, many, view }: { typed: string; chosen: ReadonlySet<number>; many: boolean; view: View },
): PickerOption[] {
  const needle = typed.trim().toLowerCase()
  const isMatch = matcher(to, typed, view)
  const rows = view.all(to.name).filter((row) => !chosen.has(row.id) && isMatch(row))
  const all: PickerOption[] =
    many && typed.trim() !== '' && rows.length > 1
      ? [{ key: 'all', kind: 'all', text: '', extra: typed.trim(), ids: rows.map(({ id }) => id) }]
      : []
  const groups = many ? groupOptions(to, needle, view).filter(({ ids }) => ids.some((id) => !chosen.has(id))) : []
  const [extra] = to.search
  const records = rows.slice(0, recordsShown).map((row) => ({
    key: `record:${row.id}`,
    kind: 'record' as const,
    text: titleOf(to, row),
    extra: extra === undefined ? '' : String(fieldValue(to, row, extra, view) ?? ''),
    ids: [row.id],
  }))
  return [...all, ...groups, ...records]
}

/** Whether a text is a query ("group:web", "cpu>80") and not a name. */
export function isQuery(typed: string): boolean {
  return /[:<>=]/.test(typed)
}

/** Pasted names and ids, separated by commas, semicolons, line breaks, or blanks between ids. */
export function readPasted(field: RefField, text: string, context: { fieldName: string; view: View }): Parsed {
  const isIds = /^[\d\s,;#]+$/.test(text)
  return parseInput(field, text.trim().replaceAll(isIds ? /[\s,;]+/g : /[;\n]+/g, ', '), context)
}

/** What Enter takes without a selection: names and ids, all matches of a query, or the only match. Null if ambiguous. */
export function takenByEnter(
  field: RefField,
  {
    typed,
    options,
    fieldName,
    view,
  }: { typed: string; options: readonly PickerOption[]; fieldName: string; view: View },
): readonly number[] | null {
  if (typed.trim() === '') return null
  const parsed = readPasted(field, typed, { fieldName, view })
  if (parsed.ok) return field.kind === 'ref' ? [parsed.value as number] : (parsed.value as readonly number[])
  const records = options.filter(({ kind }) => kind === 'record')
  const all = options.find(({ kind }) => kind === 'all')
  if (all && isQuery(typed)) return all.ids
  return records.length === 1 ? firstItem(records).ids : null
}
