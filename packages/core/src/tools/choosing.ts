import { pageQuery } from '../actions/index.ts'
import { type AnyRow, type Resource, titleOf, type View } from '../define/index.ts'
import { AppError, firstItem } from '../errors/index.ts'
import { namedOnHosts } from '../resources/index.ts'
import {
  isEmptySelection,
  nearest,
  parseSelection,
  selectedFields,
  selectionProblemKey,
  selectRows,
} from '../targets/index.ts'
import type { Json, ToolCaller } from './tool.ts'

/** More than any list has. */
const allRecords = 1_000_000
const namedInError = 10

export const oneRecord = { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'ID or name' } as const
export const someRecords = {
  records: { type: 'array', items: oneRecord, description: 'IDs or names' },
  select: {
    type: 'string',
    description: 'instead of records: a query, such as "group:web online"',
  },
} as const

/** The records that a word means: by ID or title, of hosts as `namedOnHosts` says. Pure. */
function called(
  resource: Resource,
  rows: readonly AnyRow[],
  text: string,
  view: Pick<View, 'title'>,
): readonly AnyRow[] {
  const byId = rows.find((row) => String(row.id) === text)
  if (byId) return [byId]
  return resource.host
    ? namedOnHosts(resource, rows, text, view)
    : rows.filter((row) => titleOf(resource, row).toLowerCase() === text.toLowerCase())
}

/** The one that `called` finds. Errors: `notFound` with similar titles, `ambiguous` with the matches. */
export function pickOne(resource: Resource, rows: readonly AnyRow[], word: unknown, view: Pick<View, 'title'>): AnyRow {
  const text = String(word).trim()
  const found = called(resource, rows, text, view)
  if (found.length === 1) return firstItem(found)
  if (found.length > 1) {
    const matches = found.slice(0, namedInError).map((row) => `${titleOf(resource, row)} (${row.id})`)
    throw new AppError('ambiguous', { name: text, matches })
  }
  const near = nearest(
    text,
    rows.map((row) => titleOf(resource, row)),
  ).slice(0, 3)
  throw new AppError('notFound', {
    name: text,
    resource: resource.name,
    ...(near.length > 0 && { text: near.join(', ') }),
  })
}

/** Finds a record and reads all of its fields. Errors: those of `pickOne` and of the API. */
export async function recordOf(caller: ToolCaller, resource: Resource, word: unknown): Promise<AnyRow> {
  if (resource.wire.shape === 'one') return caller.records.get(resource, 0)
  const canGet = resource.wire.verbs.includes('get')
  if (canGet && /^\d{1,15}$/.test(String(word))) return caller.records.get(resource, Number(word))
  const rows = await caller.records.list(resource)
  const row = await caller.records.read((view) => pickOne(resource, rows, word, view))
  return canGet ? caller.records.get(resource, row.id) : row
}

/** The records that match a query; all for an empty one. Of hosts, those on the servers that `on` selects. Errors: `usage` with the part that can’t be parsed. */
export async function selected(
  caller: ToolCaller,
  resource: Resource,
  text: string,
  on?: string,
): Promise<readonly AnyRow[]> {
  const parsed = parseSelection(resource, text, { view: caller })
  if (!parsed.ok) {
    const { problem } = parsed
    const why = caller.translator.say(selectionProblemKey(problem), problem.params)
    throw new AppError('usage', { text: `${text.slice(problem.at, problem.to)}: ${why}` })
  }
  const { selection } = parsed
  await caller.records.ask(resource, selectedFields(selection))
  const wanted = { filter: text, sort: resource.sort, limit: allRecords }
  const rows = await caller.records.list(
    resource,
    resource.wire.paging === 'server' ? pageQuery(resource, wanted) : on === undefined ? undefined : { on },
  )
  if (isEmptySelection(selection)) return rows
  return caller.records.read((view) => selectRows(selection, resource, rows, view))
}

/** The records of a word: of hosts all that are called so, as in `qd`; else one. Errors: as `recordOf`. */
async function recordsOf(caller: ToolCaller, resource: Resource, word: unknown): Promise<readonly AnyRow[]> {
  if (!resource.host) return [await recordOf(caller, resource, word)]
  const rows = await caller.records.list(resource)
  return caller.records.read((view) => {
    const found = called(resource, rows, String(word).trim(), view)
    return found.length > 1 ? found : [pickOne(resource, rows, word, view)]
  })
}

/** Errors: `invalid` if neither or both arguments are given, `notFound` if nothing matches. */
export async function recordsFor(caller: ToolCaller, resource: Resource, args: Json): Promise<readonly AnyRow[]> {
  const { records, select } = args
  if ((records === undefined) === (select === undefined)) {
    const problems = [{ field: 'records', code: 'required' as const }]
    throw new AppError('invalid', {}, { problems })
  }
  if (select !== undefined) {
    const rows = String(select).trim() === '' ? [] : await selected(caller, resource, String(select))
    if (rows.length === 0) throw new AppError('notFound', { name: String(select) })
    return rows
  }
  const rows = (await Promise.all((records as unknown[]).map((word) => recordsOf(caller, resource, word)))).flat()
  return rows.filter((row, index) => rows.findIndex(({ id }) => id === row.id) === index)
}
