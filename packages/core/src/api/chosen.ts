import type { AnyRow, Resource, View } from '../define/index.ts'
import { AppError, isObject, usageError } from '../errors.ts'
import { parseInput } from '../fields/index.ts'
import { textParts } from '../i18n/index.ts'
import { isEmptySelection, parseSelection, type Selection, selectedFields, selectRows } from '../targets/index.ts'
import { listParts } from '../view/index.ts'
import { pageOf } from './named.ts'
import type { Records } from './records.ts'

/** Advice for an empty selecting flag: `all` if it would mean all, `leaveOut` if omitting it does, else `help`. */
export type IfEmpty = 'all' | 'leaveOut' | 'help'

/** Refuses an invalid or empty selection, such as of an unset variable; `empty` advises. Errors: `usage` with the position. */
export function demandSelection(resource: Resource, text: string, empty: IfEmpty): Selection {
  const selection = readSelection(resource, text)
  if (isEmptySelection(selection))
    throw usageError('emptySelection', {
      flag: '--select',
      ...(empty === 'help' ? { try: 'qd help query' } : { hint: empty }),
    })
  return selection
}

/** With `view` also refuses what the server doesn't report. Errors: as `demandSelection`. */
export function readSelection(resource: Resource, text: string, view: Pick<View, 'supports'> = {}): Selection {
  const parsed = parseSelection(resource, text, { view })
  if (parsed.ok) return parsed.selection
  const { at, to, code, params } = parsed.problem
  throw usageError('selection', { ...params, problem: code, part: text.slice(at, to), try: 'qd help query' })
}

interface Among {
  resource: Resource
  records: Records
  text: string
}

/** The records among which those that match a query are: of a server-paged list only these, of hosts those on the servers of `on`. */
export async function candidates(
  { resource, records, text }: Among,
  selection: Selection,
  on?: string,
): Promise<readonly AnyRow[]> {
  await records.ask(resource, selectedFields(selection))
  return records.list(resource, pageOf(resource, { text }) ?? (on === undefined ? undefined : { on }))
}

/** The records that match a query. Errors: as `demandSelection`, and those of the calls. */
export async function selected(from: Among & { empty: IfEmpty }): Promise<readonly AnyRow[]> {
  const rows = await candidates(from, demandSelection(from.resource, from.text, from.empty))
  return narrowed({ ...from, rows })
}

export function narrowed(from: Among & { rows: readonly AnyRow[] }): Promise<readonly AnyRow[]> {
  const { resource, records, text, rows } = from
  return records.read((view) => selectRows(readSelection(resource, text, view), resource, rows, view))
}

/** What a list’s own filter is asked for, such as the open and closed incidents of `open,closed`. Errors: `invalid`. */
export function filterOf(
  { wire: { filter }, fields }: Resource,
  text: string | undefined,
  view: View,
): Record<string, string> {
  const field = filter === null ? undefined : fields[filter]
  if (filter === null || field === undefined || text === undefined) return {}
  const values = listParts(text).map((option) => {
    const parsed = parseInput(field, option, { fieldName: filter, view })
    if (!parsed.ok) throw new AppError('invalid', {}, { problems: [parsed.problem] })
    return String(parsed.value)
  })
  return { [filter]: values.join(',') }
}

/** Whether a record is one of those that `filterOf` asks for. */
export const isIn = (filter: Readonly<Record<string, string>>, row: AnyRow): boolean =>
  Object.entries(filter).every(([field, values]) => values.split(',').includes(String(row[field])))

/** The words for records in a text that was piped in: ids and names, or the records that `--json` and `--jsonl` print. */
export function pipedWords({ title }: Resource, input: string): readonly string[] {
  // PowerShell starts piped text with a BOM.
  const text = input.replace(/^\ufeff/, '')
  const words = jsonItems(text)?.map((item) => (isObject(item) ? (item.id ?? item[title]) : item))
  const isNamed = words?.every((word) => typeof word === 'number' || (typeof word === 'string' && word !== ''))
  return words && isNamed ? words.map(String) : typedWords(text)
}

export const typedWords = (text: string): readonly string[] => text.split(/\s/).flatMap((word) => textParts(word))

function jsonItems(text: string): unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const documents of [[text], lines]) {
    try {
      return documents.flatMap((one) => JSON.parse(one) as unknown)
    } catch {}
  }
  return null
}
