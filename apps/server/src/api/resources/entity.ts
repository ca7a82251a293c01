import { type AnyRow, fieldOf, type Resource, type ResourceName, referencesOf } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import type { Clock, Random } from '../../kernel/ports.ts'
import type { Db } from '../../store/db/schema.ts'
import { deleteWhere, groupTable, type Members } from '../../store/records/group-table.ts'
import { maskSecrets } from '../../store/records/mask-secrets.ts'
import type { Quota } from '../../store/records/quota.ts'
import { createRecords, type MutableRecords } from '../../store/records/records.ts'
import type { KeptRecords, Named } from '../../store/records/references.ts'
import type { StoredRow } from '../../store/records/rows.ts'
import { tableOf } from '../../store/records/table.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import { createStore, type ResourceStore, type StoreParts, type Surroundings } from './store.ts'

export interface LoadParts {
  db: Db
  clock: Clock
  random: Random
  quota: Pick<Quota, 'demandRoom'>
}

export interface Served<N extends ResourceName = ResourceName> {
  readonly resource: Resource & { readonly name: N }
  serve(container: Container, around: Surroundings): ResourceStore
}

/** A resource whose records are stored and kept in memory; what `EntityParts` lacks follows from its definition. */
export interface Entity<
  N extends ResourceName = ResourceName,
  Row extends StoredRow = StoredRow,
  Kept extends MutableRecords<Row> = MutableRecords<Row>,
> extends Served<N> {
  load(parts: LoadParts): Promise<Kept>
  keep(records: Kept): KeptRecords
}

interface EntityParts<Row extends StoredRow, Kept extends MutableRecords<Row>> {
  table: string
  /** A field whose IDs are rows of another table. Default: JSON. */
  members?: Members<Row>
  compare?(a: Row, b: Row): number
  extend?: (records: MutableRecords<Row>, parts: LoadParts) => Kept | Promise<Kept>
  named?: Named
  limits?: readonly (keyof Row & string)[]
  concerned?(row: Row): readonly number[]
  rules?(container: Container, around: Surroundings, records: Kept): Partial<StoreParts<Row>>
  /** Replaces `rules` if the routes differ from those of other stores. */
  serve?(container: Container, around: Surroundings, records: Kept): ResourceStore
}

const byId = (a: StoredRow, b: StoredRow) => a.id - b.id

export const newestFirst = (a: StoredRow, b: StoredRow) => b.id - a.id

export const byWeight = <Row extends StoredRow & { display_index: number }>(a: Row, b: Row) =>
  b.display_index - a.display_index || a.id - b.id

export function defineEntity<
  N extends ResourceName,
  Row extends StoredRow,
  Kept extends MutableRecords<Row> = MutableRecords<Row>,
>(resource: Resource & { readonly name: N }, parts: EntityParts<Row, Kept>): Entity<N, Row, Kept> {
  const { table, members = null, compare = byId, extend } = parts
  const persist = members ? groupTable<Row>(table, resource.fields, members) : tableOf<Row>(table, resource.fields)
  return {
    resource,
    keep: (records) => ({
      resource,
      table,
      records: records as MutableRecords<Row> as KeptRecords['records'],
      named: parts.named ?? {},
      limits: parts.limits ?? [],
      members: members as KeptRecords['members'],
      concerned: (parts.concerned ?? ((row) => [row.owner_id])) as KeptRecords['concerned'],
    }),
    async load(loading) {
      const records = await createRecords<Row>({
        ...loading,
        persist,
        compare,
        admit: ({ owner_id }, rows) => loading.quota.demandRoom(resource, owner_id, rows),
      })
      return extend ? extend(records, loading) : (records as Kept)
    },
    serve(container, around) {
      const found = container.kept.find((one) => one.resource === resource)
      const records = defined(found).records as MutableRecords<Row> as Kept
      if (parts.serve) return parts.serve(container, around, records)
      const rules = parts.rules?.(container, around, records) ?? {}
      const groups = groupsOf(resource.name, container)
      return createStore<Row>(
        {
          resource,
          records,
          fieldsOf: (row) => storedFields(resource, row),
          ...rules,
          async alsoRemove(db, rows) {
            const ids = rows.map(({ id }) => id)
            for (const { members } of groups) if (members) await deleteWhere(db, members, ids)
            await rules.alsoRemove?.(db, rows)
          },
          async removed(rows: readonly Row[]) {
            await rules.removed?.(rows)
            for (const group of groups) await group.records.reload()
          },
        },
        around,
      )
    },
  }
}

const groupsOf = (name: ResourceName, { kept }: Pick<Container, 'kept'>): readonly KeptRecords[] =>
  kept.filter(({ resource, members }) =>
    referencesOf(resource).some(({ field, to }) => members?.field === field && to === name),
  )

/** Cached, because servers are encoded with each sample, and masking takes time. Rows are immutable. */
const saidOf = new WeakMap<StoredRow, { fields: Resource['fields']; said: AnyRow }>()

/** A row's fields by wire names, times as text. Of a secret only its existence and, if the definition says so, its masked text. */
export function storedFields({ fields }: Pick<Resource, 'fields'>, row: StoredRow): AnyRow {
  const before = saidOf.get(row)
  if (before?.fields === fields) return before.said
  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = row as StoredRow & AnyRow
  const known = Object.entries(rest).filter(([name]) => name in fields)
  const shown = ([name, value]: Pair): Pair => [
    name,
    fieldOf({ fields }, name).kind === 'instant' && typeof value === 'number' ? toInstant(value) : value,
  ]
  const said = Object.fromEntries([...known.map(shown), ...secretsOf(fields, known)]) as AnyRow
  saidOf.set(row, { fields, said })
  return said
}

type Pair = readonly [string, unknown]

function secretsOf(fields: Resource['fields'], known: readonly Pair[]): readonly Pair[] {
  return known.flatMap(([name, value]): readonly Pair[] => {
    const field = fieldOf({ fields }, name)
    if (field.kind !== 'secret') return []
    const { has, masked } = field
    return [
      ...(has ? [[has, value !== ''] as const] : []),
      ...(masked && value !== '' ? [[masked.field, maskSecrets(String(value), masked.as)] as const] : []),
    ]
  })
}
