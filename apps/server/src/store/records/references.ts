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
import type { Members } from './group-table.ts'
import { createOrder } from './in-order.ts'
import type { InputRules } from './input.ts'
import type { MutableRecords } from './records.ts'
import type { Accounts, StoredRow } from './rows.ts'
import type { MutableSettings } from './settings.ts'

/** Rules for records that name records of this entity. */
export interface Named {
  /** A scope that who names one must have. */
  scope?: string | null
  /** Whose they are is no secret: naming somebody else's is `forbidden` and not an unknown id (contract engines 1.9). */
  forbids?: true
  /** The contract's text for ids that are unknown, where a record that names them has none of its own. */
  text?(ids: readonly number[]): string
}

/** The records of one entity, for code that does not know which entity it is. */
export interface KeptRecords {
  readonly resource: Resource
  readonly table: string
  readonly records: MutableRecords<StoredRow>
  readonly named: Named
  /** The field whose ids are rows of a table of their own. */
  readonly members: Members<StoredRow & AnyRow> | null
  /** Lists that limit a record to what they name; empty ones would be no limit, so that deleted records stay in them. */
  readonly limits: readonly string[]
  /** Owners of a record, and others who hear of its changes. */
  concerned(row: StoredRow): readonly number[]
}

/** An input that names records: the input, the owner of its record, and the sender. */
interface Naming {
  input: Readonly<Record<string, unknown>>
  owner: number
  viewer: Viewer
  texts: InputRules['texts']
}

/**
 * Every record that an input names must exist and be one that the record's owner may use; somebody else's answers as an unknown one
 * (S-27, S-28). Errors: `invalid` with the contract's text, `forbidden`, `tokenForbidden`.
 */
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

/** Something that names records and drops the ids of deleted ones: the records of an entity, or the settings. */
interface Holder {
  readonly resource: Pick<Resource, 'fields' | 'input'>
  /** Fields whose ids stay, or that other code cleans. */
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

/**
 * Takes the ids of deleted records out of all that names them, so that saving what is left is not refused: out of lists, and 0 in
 * place of a single one. Ids are never used twice. Members of groups go with the record itself, and limits stay.
 */
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

  /** The fields of a row that name one of these, as they are without them. */
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
    // Many are deleted by one call, each with a change of its own.
    if (gone.size === 0) {
      setImmediate(() => {
        forget().catch((error: unknown) => log.error({ err: error }, 'failed to remove references to deleted records'))
      })
    }
    gone.add(before.id)
  })
}
