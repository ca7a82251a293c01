import {
  type AnyRow,
  demand,
  idsIn,
  type Reference,
  type Resource,
  referencesOf,
  type Viewer,
  withoutIds,
} from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { setting } from '@qd/core/resources'
import type { Logger } from 'pino'
import { texts } from '../../kernel/texts.ts'
import { createOrder } from './commit.ts'
import type { Members } from './group-table.ts'
import type { InputRules } from './input.ts'
import type { MutableRecords } from './records.ts'
import type { Accounts, StoredRow } from './rows.ts'
import type { MutableSettings } from './settings.ts'

export interface Named {
  /** A scope required to name one. */
  scope?: string | null
  /** Owners are no secret: naming another's is `forbidden` instead of an unknown ID (contract engines 1.9). */
  forbids?: true
  /** The contract's text for unknown IDs, unless the naming record has its own. */
  text?(ids: readonly number[]): string
}

export interface KeptRecords {
  readonly resource: Resource
  readonly table: string
  readonly records: MutableRecords<StoredRow>
  readonly named: Named
  /** The field whose IDs are rows of another table. */
  readonly members: Members<StoredRow & AnyRow> | null
  /** Lists that limit a record: deleted IDs stay, because an empty list would be no limit. */
  readonly limits: readonly string[]
  /** Users who receive a record's changes. */
  concerned(row: StoredRow): readonly number[]
}

interface Naming {
  input: Readonly<Record<string, unknown>>
  owner: number
  viewer: Viewer
  texts: InputRules['texts']
}

/** Every named record must exist and be usable by the record's owner; another's counts as unknown (S-27, S-28). Errors: `invalid`, `forbidden`, `tokenForbidden`. */
export function checkReferences(
  resource: Pick<Resource, 'fields' | 'input'>,
  { input, owner, viewer, texts: own = {} }: Naming,
  { kept, accounts }: { kept: readonly KeptRecords[]; accounts: Accounts },
): void {
  let text: string | null = null
  const problems = referencesOf(resource).flatMap(({ field, to, as }): Problem[] => {
    const target = kept.find((one) => one.resource.name === to)
    const ids = idsIn({ as }, input[field])
    if (!target || ids.length === 0) return []
    const { scope = null, forbids } = target.named
    if (scope !== null) demand(viewer, { audience: 'user', scope })
    const mayUse = (row: StoredRow) => accounts.isAdmin(owner) || row.owner_id === owner
    const foreign = ids.filter((id) => {
      const row = target.records.find(id)
      return row !== undefined && !mayUse(row)
    })
    const unknown = ids.filter((id) => target.records.find(id) === undefined)
    if (forbids && unknown.length === 0 && foreign.length > 0)
      throw new AppError('forbidden', { text: texts.permission })
    const bad = ids.filter((id) => unknown.includes(id) || foreign.includes(id))
    if (bad.length === 0) return []
    text ??= own[`${field}.unknownReference`]?.(input) ?? target.named.text?.(bad) ?? texts.permission
    return [{ field, code: 'unknownReference', params: { ids: bad } }]
  })
  if (text !== null) throw new AppError('invalid', { text }, { problems })
}

interface Holder {
  readonly resource: Pick<Resource, 'fields' | 'input'>
  /** Fields that keep deleted IDs, or that other code cleans. */
  readonly spared: readonly string[]
  rows(): readonly { readonly id: number }[]
  change(id: number, values: Readonly<Record<string, unknown>>): Promise<unknown>
}

const recordsOf = ({ resource, records, members, limits }: KeptRecords): Holder => ({
  resource,
  spared: members ? [...limits, members.field] : limits,
  rows: () => records.all(),
  change: (id, values) => records.update(id, (row) => ({ ...row, ...values }), { isCleaning: true }),
})

function settingsAsHolder(settings: MutableSettings): Holder {
  const inOrder = createOrder()
  return {
    resource: setting,
    spared: [],
    rows: () => [{ ...settings.get(), id: 1 }],
    change: (_id, values) => inOrder(() => settings.put({ ...settings.get(), ...values })),
  }
}

/** Removes the IDs of deleted records from everything that names them, so that saving it isn't refused. Group members go with the record; limits stay. */
export function forgetDeletedReferences(kept: readonly KeptRecords[], settings: MutableSettings, log: Logger): void {
  const holders = [...kept.map(recordsOf), settingsAsHolder(settings)]
  for (const source of kept) {
    for (const holder of holders) {
      const fields = referencesOf(holder.resource).filter(
        ({ field, to }) => to === source.resource.name && !holder.spared.includes(field),
      )
      if (fields.length > 0) forgetDeleted(source.records, { holder, fields, log })
    }
  }
}

function forgetDeleted(
  source: KeptRecords['records'],
  { holder, fields, log }: { holder: Holder; fields: readonly Reference[]; log: Logger },
): void {
  const gone = new Set<number>()

  function without(row: AnyRow, ids: ReadonlySet<number>): Readonly<Record<string, unknown>> {
    const changed = fields
      .filter((one) => idsIn(one, row[one.field]).some((id) => ids.has(id)))
      .map((one) => [one.field, withoutIds(one, row[one.field], ids)])
    return Object.fromEntries(changed)
  }

  async function forget() {
    const ids = new Set(gone)
    gone.clear()
    for (const row of holder.rows()) {
      const values = without({ ...row }, ids)
      if (Object.keys(values).length > 0) await holder.change(row.id, values)
    }
  }

  source.onChange(({ before, after }) => {
    if (!before || after) return
    // One call may delete many, each with its own event.
    if (gone.size === 0) {
      setImmediate(() => {
        forget().catch((error: unknown) => log.error({ err: error }, 'failed to remove references to deleted records'))
      })
    }
    gone.add(before.id)
  })
}
