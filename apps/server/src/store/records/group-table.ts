import type { Resource } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import type { Kysely } from 'kysely'
import type { Handle } from './commit.ts'
import type { StoredRow } from './rows.ts'
import { type Persist, tableOf } from './table.ts'

export interface Members<Row> {
  table: string
  column: string
  field: keyof Row & string
}

type Lists = Record<string, Record<string, number>>
const lists = (db: Handle) => db as Kysely<Lists>

export function groupTable<Row extends StoredRow>(
  name: string,
  fields: Resource['fields'],
  { table, column, field }: Members<Row>,
): Persist<Row> {
  const groups = tableOf<Row>(name, fields)

  async function setMembers(db: Handle, group: number, ids: readonly number[]): Promise<void> {
    await lists(db).deleteFrom(table).where('group_id', '=', group).execute()
    if (ids.length === 0) return
    const rows = ids.map((id) => ({ group_id: group, [column]: id }))
    await lists(db).insertInto(table).values(rows).execute()
  }

  function split(row: Partial<Row>) {
    const { [field]: ids, ...columns } = row
    return { ids: ids as readonly number[] | undefined, columns: columns as Partial<Row> }
  }

  return {
    async load(db) {
      const stored = await lists(db).selectFrom(table).select(['group_id', column]).orderBy(column).execute()
      const byGroup = new Map<number, number[]>()
      for (const member of stored) {
        const group = defined(member.group_id)
        byGroup.set(group, [...(byGroup.get(group) ?? []), defined(member[column])])
      }
      return (await groups.load(db)).map((group) => ({ ...group, [field]: byGroup.get(group.id) ?? [] }))
    },
    async insert(db, values) {
      const { ids, columns } = split(values as Partial<Row>)
      const id = await groups.insert(db, columns as Row)
      await setMembers(db, id, ids ?? [])
      return id
    },
    async update(db, changes) {
      const parts = [...changes].map(([id, changed]) => ({ id, ...split(changed) }))
      await groups.update(db, new Map(parts.map(({ id, columns }) => [id, columns])))
      for (const { id, ids } of parts) if (ids) await setMembers(db, id, ids)
    },
    async remove(db, ids) {
      await deleteWhere(db, { table, column: 'group_id' }, ids)
      await groups.remove(db, ids)
    },
  }
}

export async function deleteWhere(
  db: Handle,
  { table, column }: { table: string; column: string },
  ids: readonly number[],
) {
  await lists(db)
    .deleteFrom(table)
    .where(column, 'in', [...ids])
    .execute()
}
