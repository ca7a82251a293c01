import type { StoredRow } from '../rows.ts'
import { type Handle, type Persist, type StoredTable, tableOf } from './table.ts'

/** Where the members of groups are stored: their table, its column of member ids, and the field of the row that lists them. */
interface Members<Row> {
  table: 'server_group_members' | 'notification_group_members'
  column: string
  field: keyof Row & string
}

/** Groups whose own columns are in one table and whose members, by id, are in another. */
export function groupTable<Row extends StoredRow>(
  name: StoredTable,
  { table, column, field }: Members<Row>,
): Persist<Row> {
  const groups = tableOf<Row>(name, { flags: [], json: {} })
  // As in tableOf: one name stands for both.
  const members = table as 'server_group_members'
  const member = column as 'server_id'

  async function setMembers(db: Handle, group: number, ids: readonly number[]): Promise<void> {
    await db.deleteFrom(members).where('group_id', '=', group).execute()
    if (ids.length === 0) return
    const rows = ids.map((id) => ({ group_id: group, [member]: id }) as { group_id: number; server_id: number })
    await db.insertInto(members).values(rows).execute()
  }

  function split(row: Partial<Row>) {
    const { [field]: ids, ...columns } = row
    return { ids: ids as readonly number[] | undefined, columns: columns as Partial<Row> }
  }

  return {
    async load(db) {
      const stored = await db.selectFrom(members).select(['group_id', member]).orderBy(member).execute()
      const byGroup = new Map<number, number[]>()
      for (const { group_id, [member]: id } of stored) byGroup.set(group_id, [...(byGroup.get(group_id) ?? []), id])
      return (await groups.load(db)).map((group) => ({ ...group, [field]: byGroup.get(group.id) ?? [] }))
    },
    async insert(db, values) {
      const { ids, columns } = split(values as Partial<Row>)
      const id = await groups.insert(db, columns as Row)
      await setMembers(db, id, ids ?? [])
      return id
    },
    async update(db, id, fields) {
      const { ids, columns } = split(fields)
      await groups.update(db, id, columns)
      if (ids) await setMembers(db, id, ids)
    },
    async remove(db, ids) {
      await db
        .deleteFrom(members)
        .where('group_id', 'in', [...ids])
        .execute()
      await groups.remove(db, ids)
    },
  }
}
