import { allNamed, candidates, oneNamed } from '../api/index.ts'
import type { AnyRow, Resource } from '../define/index.ts'
import { AppError } from '../errors.ts'
import { isEmptySelection, parseSelection, selectionProblemKey, selectRows } from '../targets/index.ts'
import type { Json, ToolCaller } from './tool.ts'

export const oneRecord = { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'ID or name' } as const
export const someRecords = {
  records: { type: 'array', items: oneRecord, description: 'IDs or names' },
  select: {
    type: 'string',
    description: 'instead of records: a query, such as "group:web online"',
  },
} as const

/** Finds a record and reads all of its fields. Errors: those of `pickOne` and of the API. */
export const recordOf = (caller: ToolCaller, resource: Resource, word: unknown): Promise<AnyRow> =>
  oneNamed(resource, caller.records, String(word).trim())

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
  const rows = await candidates({ resource, records: caller.records, text }, selection, on)
  if (isEmptySelection(selection)) return rows
  return caller.records.read((view) => selectRows(selection, resource, rows, view))
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
  return allNamed(
    resource,
    caller.records,
    (records as unknown[]).map((word) => String(word).trim()),
  )
}
