import type { AnyRow, Field, Resource, View } from '@qd/core/define'
import { fieldValue, titleOf } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { type Parsed, parseInput } from '@qd/core/fields'
import { parseSelection, predicateOf, type SelectionProblem } from '@qd/core/targets'

/** One thing a picker offers: records of a group, all that match, a single record, or to make one (`extra`: of which resource). */
export interface PickerOption {
  key: string
  kind: 'all' | 'group' | 'record' | 'new'
  /** The record's or the group's name; empty for the others. */
  text: string
  /** Told beside the name: what else the record is known by, or the resource of the group. */
  extra: string
  ids: readonly number[]
}

/** Most single records that are offered at once. Typing narrows them. */
const recordsShown = 50

/** A field that names records, one or several. */
export type RefField = Extract<Field, { kind: 'ref' | 'refs' }>

/** Fields of the picked resource that gather it into groups, e.g. the groups of a server. */
function groupings(to: Resource): readonly (readonly [string, Extract<Field, { kind: 'refs' }>])[] {
  return Object.entries(to.fields).flatMap(([name, field]) =>
    field.kind === 'refs' && name in to.derived ? [[name, field] as const] : [],
  )
}

function groupOptions(to: Resource, needle: string, view: View): PickerOption[] {
  return groupings(to).flatMap(([name, field]) => {
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

/** The rows a text means: of the selection language, what can be read of it while it is being typed, else a part of the title. */
function matcher(to: Resource, typed: string, view: View): (row: AnyRow) => boolean {
  const parsed = parseSelection(to, typed)
  if (parsed.ok) return predicateOf(parsed.selection, to, view)
  if (unfinished.includes(parsed.problem.code))
    return predicateOf(parseSelection(to, typed, { partial: true }).selection, to, view)
  const needle = typed.trim().toLowerCase()
  return (row) => titleOf(to, row).toLowerCase().includes(needle)
}

/** What a picker offers for a text of the selection language or a part of a name: everything that matches, groups, single records. */
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

/** True for a text that asks by a term ("group:web", "cpu>80"), not by a name. */
export function isQuery(typed: string): boolean {
  return /[:<>=]/.test(typed)
}

/** Names and ids as people paste them: with commas, semicolons, blanks between ids, or a line each. */
export function readPasted(field: RefField, text: string, context: { fieldName: string; view: View }): Parsed {
  const isIds = /^[\d\s,;#]+$/.test(text)
  return parseInput(field, text.trim().replaceAll(isIds ? /[\s,;]+/g : /[;\n]+/g, ', '), context)
}

/**
 * What Enter takes when nothing in the list is chosen: names and ids as they are, all that a term finds, or the one record that matches.
 * Null if that is not clear.
 */
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
