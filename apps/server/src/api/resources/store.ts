import {
  type Action,
  type AnyRow,
  deriving,
  holds,
  isEmpty,
  type Resource,
  type TargetSelection,
  type Values,
  type View,
  type Viewer,
} from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Follow } from '../../act/following.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import { type Note, notedAs } from '../../store/records/audit.ts'
import type { Also } from '../../store/records/commit.ts'
import { type InputRules, readArgs, readIds, readInput } from '../../store/records/input.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import { checkReferences, type KeptRecords } from '../../store/records/references.ts'
import { demandFor, demandRight, owns, tokenCovers } from '../../store/records/rights.ts'
import type { Accounts, Records, ServerRow, StoredRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'
import { ownerItem, toInstant } from '../../store/records/wire.ts'

/** A resource's routes. Each method checks scope, role and ownership first; bodies are raw. The audit entry of a change that doesn't call `note` is stored after it. */
export interface ResourceStore {
  readonly resource: Resource
  /** Changes whenever a list might; null: don't cache. */
  version(): string | null
  /** ID and title of visible records; absent if they aren't in memory. */
  titles?(viewer: Viewer): readonly AnyRow[]
  /** JSON of `data`, or its items, encoded lazily; null for none. */
  list(caller: Caller, query: URLSearchParams): Promise<string | { items: Iterable<string> } | null>
  /** Stored values, secrets included, for the audit log; absent if nothing changes. */
  stored?(ids: readonly number[], caller: Caller): readonly AnyRow[]
  get(caller: Caller, id: number): Promise<string>
  /** Returns the new ID, or the result of `make`. */
  create(caller: Caller, body: unknown, note?: Note): Promise<unknown>
  /** Returns the result of `edited`. */
  edit(caller: Caller, id: number, body: unknown, ifMatch: string | null, note?: Note): Promise<unknown>
  remove(caller: Caller, body: unknown, note?: Note): Promise<number[]>
  /** `body`: null if the action has no arguments. */
  act(caller: Caller, action: Action, id: number, body: unknown, note?: Note): Promise<unknown>
  call?(
    caller: Caller,
    action: Pick<Action, 'name' | 'audience' | 'scope'>,
    body: unknown,
    note?: Note,
  ): Promise<unknown>
}

async function noRoute(): Promise<never> {
  throw new AppError('noRoute')
}

/** No routes, and no cache. */
export const noRoutes = {
  version: () => null,
  list: noRoute,
  get: noRoute,
  create: noRoute,
  edit: noRoute,
  remove: noRoute,
  act: noRoute,
}

export interface Surroundings {
  clock: Clock
  accounts: Accounts
  settings: Settings
  servers: Records<ServerRow>
  kept: readonly KeptRecords[]
  follow: Follow
  view(viewer: Viewer): View
  removeOwned(caller: Caller, ownerId: number): Promise<void>
}

export interface StoreParts<Row extends StoredRow> extends InputRules {
  resource: Resource
  records: MutableRecords<Row>
  /** By wire names, without ID, times and owner. */
  fieldsOf(row: Row): Readonly<Record<string, unknown>>
  /** Changes if `fieldsOf` might for the same row. */
  fieldsVersion?(row: Row): number | string
  otherVersion?(): string
  /** Fields that this viewer may not know. */
  withheld?(viewer: Viewer): readonly string[]
  /** Left out if empty (contract http-api 4), as are fields that follow from a secret or that require a capability. */
  omit?: readonly string[]
  /** The row for this viewer, null if hidden. Default: owners and administrators see it. */
  project?(viewer: Viewer, row: Row): Row | null
  /** `?id=` filters (contract http-api 1.5). */
  byIds?: true
  /** Checks valid input. `owner`: the record's. */
  check?(input: Readonly<Record<string, unknown>>, owner: number, viewer: Viewer): void
  /** Tries a record before it is stored; `before` is null for a new one. */
  prove?(input: Readonly<Record<string, unknown>>, before: Row | null, caller: Caller): Promise<void>
  notStored?: readonly string[]
  fresh?: Readonly<Record<string, unknown>>
  /** What is stored for new input, and the response. */
  make?(input: Readonly<Record<string, unknown>>): { values: Omit<Row, keyof StoredRow>; answer(row: Row): unknown }
  edited?(row: Row): unknown
  alsoRemove?: Also<Row>
  removed?(rows: readonly Row[]): Promise<void>
  actions?: Readonly<Record<string, (caller: Caller, row: Row, args: Values, note?: Note) => Promise<unknown>>>
  /** Actions and tests without a record in the path; each checks ownership of the records in its body. */
  calls?: Readonly<Record<string, (caller: Caller, body: unknown, note?: Note) => Promise<unknown>>>
}

/** A store of records in memory: the one place that checks scope and ownership. */
export function createStore<Row extends StoredRow>(parts: StoreParts<Row>, around: Surroundings): ResourceStore {
  const { resource, records, project = (viewer, row) => (mayTouch(viewer, row) ? row : null) } = parts
  const secrets = Object.keys(resource.fields).filter((field) => resource.fields[field]?.kind === 'secret')
  const unknown = unknownElsewhere(resource)
  const about = resource.about ?? resource.targets
  const { clock, accounts, settings, servers } = around
  const itemTexts = new WeakMap<Row, { version: string; text: string }>()
  const needs = (viewer: Viewer, right: 'read' | 'write' | 'remove') => demandRight(settings, viewer, resource, right)

  const isWithin = (viewer: Viewer, selection: TargetSelection | undefined, owner: number) =>
    selection === undefined || tokenCovers(viewer, { selection, owner }, around)

  function demandWithin(viewer: Viewer, row: AnyRow, owner: number): void {
    if (!isWithin(viewer, about?.(row), owner)) throw new AppError('forbidden')
  }

  function followed(input: Readonly<Record<string, unknown>>, owner: number, viewer: Viewer) {
    if (input.follows === true && viewer.servers !== undefined) throw new AppError('forbidden')
    return { ...input, ...around.follow(resource, input, owner) }
  }

  function mayTouch(viewer: Viewer, row: Row): boolean {
    if (!owns(viewer, row)) return false
    if (viewer.servers === undefined) return true
    return isWithin(viewer, about?.({ id: row.id, ...parts.fieldsOf(row) }), row.owner_id)
  }

  /** Records without servers affect all: limited tokens may read and add them, not change them. */
  function demandUnlimited(viewer: Viewer): void {
    if (viewer.servers !== undefined && !about) throw new AppError('forbidden')
  }

  function recordOf(row: Row): AnyRow {
    return {
      id: row.id,
      created_at: toInstant(row.created_at),
      updated_at: toInstant(row.updated_at),
      ...parts.fieldsOf(row),
      owner: ownerItem(accounts, row.owner_id),
    }
  }

  /** Guests don't see owners. */
  function textOf(row: Row, without: readonly string[]): string {
    const version = `${without.join()}.${accounts.version()}.${parts.fieldsVersion?.(row) ?? 0}`
    const known = itemTexts.get(row)
    if (known?.version === version) return known.text
    // Loops, because this runs for every server with each sample.
    const record: Record<string, unknown> & { id: number } = recordOf(row)
    for (const field of secrets) if (field in record) record[field] = ''
    for (const field of parts.omit ?? []) if (isOmitted(record[field])) delete record[field]
    for (const field of unknown) if (record[field] !== 0 && isOmitted(record[field])) delete record[field]
    for (const field of without) delete record[field]
    const text = JSON.stringify(resource.wire.encodeRow(record))
    if (text.length <= longestKept) itemTexts.set(row, { version, text })
    return text
  }

  const withheldFrom = (viewer: Viewer) => [
    ...(viewer.id === null ? ['owner'] : []),
    ...(parts.withheld?.(viewer) ?? []),
  ]

  /** Another owner's record counts as unknown (S-25). */
  function rowFor(viewer: Viewer, id: number): Row {
    const row = records.find(id)
    if (row && mayTouch(viewer, row)) return row
    throw new AppError('notFound', { resource: resource.name, id })
  }

  function storedOf(input: Readonly<Record<string, unknown>>) {
    return Object.fromEntries(Object.entries(input).filter(([name]) => !parts.notStored?.includes(name)))
  }

  const storedRow = (row: Row): AnyRow => ({ id: row.id, ...parts.fieldsOf(row) })

  const noted = notedAs(storedRow)

  return {
    resource,
    version: () =>
      [records, accounts, settings, servers].map((source) => source.version()).join('.') +
      `.${parts.otherVersion?.() ?? ''}`,
    titles: (viewer) =>
      records.all().flatMap((row) => {
        const seen = project(viewer, row)
        return seen ? { id: row.id, [resource.title]: parts.fieldsOf(seen)[resource.title] } : []
      }),
    stored: (ids) =>
      ids.flatMap((id) => {
        const row = records.find(id)
        return row ? storedRow(row) : []
      }),
    async list({ viewer }, query) {
      needs(viewer, 'read')
      const visible = records.all().flatMap((row) => project(viewer, row) ?? [])
      const without = withheldFrom(viewer)
      const rows = parts.byIds ? filterById(visible, query.get('id')) : visible
      return rows.length === 0 ? null : { items: each(rows, (row) => textOf(row, without)) }
    },
    async get({ viewer }, id) {
      needs(viewer, 'read')
      return textOf(rowFor(viewer, id), withheldFrom(viewer))
    },
    async create(caller, body, note) {
      const { viewer } = caller
      needs(viewer, 'write')
      const owner = viewer.id as number
      const input = followed(readInput(resource, body, parts), owner, viewer)
      checkReferences(resource, { input, owner, viewer, texts: parts.texts }, around)
      parts.check?.(input, owner, viewer)
      demandWithin(viewer, { id: 0, ...input }, owner)
      await parts.prove?.(input, null, caller)
      const made = parts.make?.(input)
      const values = { ...(made?.values ?? storedOf(input)), ...parts.fresh, owner_id: owner }
      const row = await records.insert(values as never, noted(note))
      return made ? made.answer(row) : row.id
    },
    async edit(caller, id, body, ifMatch, note) {
      const { viewer } = caller
      needs(viewer, 'write')
      const inputFor = (row: Row) => {
        rowFor(viewer, id)
        if (ifMatch !== null && unquoted(ifMatch) !== toInstant(row.updated_at)) throw new AppError('conflict')
        const read = readInput(resource, body, { ...parts, before: parts.fieldsOf(row) })
        const input = followed(read, row.owner_id, viewer)
        checkReferences(resource, { input, owner: row.owner_id, viewer, texts: parts.texts }, around)
        parts.check?.(input, row.owner_id, viewer)
        demandWithin(viewer, { id, ...input }, row.owner_id)
        return input
      }
      const before = rowFor(viewer, id)
      demandUnlimited(viewer)
      if (parts.prove) await parts.prove(inputFor(before), before, caller)
      const changed = await records.update(id, (row) => ({ ...row, ...storedOf(inputFor(row)) }), {
        also: noted(note),
      })
      if (!changed) throw new AppError('notFound', { resource: resource.name, id })
      return parts.edited?.(changed)
    },
    async remove({ viewer }, body, note) {
      needs(viewer, 'remove')
      demandUnlimited(viewer)
      const mine = readIds(body).filter((id) => {
        const row = records.find(id)
        return row !== undefined && mayTouch(viewer, row)
      })
      const gone = await records.remove(mine, async (db, rows) => {
        await parts.alsoRemove?.(db, rows)
        await note?.(db, [])
      })
      if (gone.length > 0) await parts.removed?.(gone)
      return gone.map((row) => row.id)
    },
    async act(caller, action, id, body, note) {
      demandFor(settings, caller.viewer, resource, action)
      const row = rowFor(caller.viewer, id)
      demandUnlimited(caller.viewer)
      refuseBlocked(action, { resource, record: recordOf(row), now: clock.now() })
      return parts.actions?.[action.name]?.(caller, row, readArgs(action, body), note)
    },
    async call(caller, action, body, note) {
      demandFor(settings, caller.viewer, resource, action)
      const perform = parts.calls?.[action.name]
      if (!perform) throw new AppError('noRoute')
      return perform(caller, body, note)
    },
  }
}

/** Longer texts aren't cached. In characters. */
const longestKept = 65_536

function* each<Row>(rows: readonly Row[], textOf: (row: Row) => string): Generator<string> {
  for (const row of rows) yield textOf(row)
}

/** `?id=1,5`; all rows if none matches (contract http-api 1.5). */
export function filterById<Row extends StoredRow>(rows: readonly Row[], text: string | null): readonly Row[] {
  if (text === null) return rows
  const ids = new Set(text.split(',').map(Number))
  const named = rows.filter((row) => ids.has(row.id))
  return named.length > 0 ? named : rows
}

/** Fields that clients of existing dashboards don’t know. */
function unknownElsewhere({ fields }: Resource): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.requires !== undefined) return [name]
    if (field.kind !== 'secret') return []
    return [field.has ?? [], field.masked?.field ?? []].flat()
  })
}

function isOmitted(value: unknown): boolean {
  if (value === false || isEmpty(value)) return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

export const unquoted = (tag: string) => tag.replace(/^(?:W\/)?"(.*)"$/, '$1')

/** Derived fields see only the record here. */
const noView = (now: number): View => ({
  now,
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
})

export function refuseBlocked(
  action: Action,
  { resource, record, now }: { resource: Resource; record: AnyRow; now: number },
): void {
  const complete = deriving(resource, record, noView(now))
  const blocked = action.blocked.find(({ when }) => holds(when, complete))
  if (!blocked) return
  const { reason } = blocked
  throw new AppError('blocked', { reason, ...(reason in texts ? { text: texts[reason as keyof typeof texts] } : {}) })
}
