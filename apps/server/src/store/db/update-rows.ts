import { type Kysely, sql } from 'kysely'

interface Changed {
  readonly id: number
  readonly [column: string]: unknown
}

/** Rows per statement: SQLite joins at most 500 selects. */
const atOnce = 100

/** Sets columns of rows by their IDs, in one statement for all that set the same columns; a later change adds to an earlier one of its row. Rows that are gone stay gone. */
export async function updateRows<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  changes: readonly Changed[],
): Promise<void> {
  const rows = new Map<number, Changed>()
  for (const change of changes) rows.set(change.id, { ...rows.get(change.id), ...change })
  const alike = new Map<string, Changed[]>()
  for (const row of rows.values()) {
    const columns = Object.keys(row).sort().join()
    const known = alike.get(columns)
    if (known) known.push(row)
    else alike.set(columns, [row])
  }
  for (const same of alike.values()) {
    for (let from = 0; from < same.length; from += atOnce) await updateAlike(db, table, same.slice(from, from + atOnce))
  }
}

async function updateAlike<Tables>(db: Kysely<Tables>, table: string, rows: readonly Changed[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const changed = columns.filter((column) => column !== 'id')
  if (changed.length === 0) return
  const of = (name: string, column: string) => sql.ref(`${name}.${column}`)
  const [only, another] = rows
  if (only && !another) {
    const values = changed.map((column) => sql`${sql.ref(column)} = ${only[column]}`)
    await sql`update ${sql.table(table)} set ${sql.join(values)} where id = ${only.id}`.execute(db)
    return
  }
  // The empty first select gives the values their types.
  const types = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where 1 = 0`
  const values = rows.map((row) => sql`select ${sql.join(columns.map((column) => row[column]))}`)
  await sql`update ${sql.table(table)}
    set ${sql.join(changed.map((column) => sql`${sql.ref(column)} = ${of('changed', column)}`))}
    from (${sql.join([types, ...values], sql` union all `)}) as changed
    where ${of(table, 'id')} = ${of('changed', 'id')}`.execute(db)
}
