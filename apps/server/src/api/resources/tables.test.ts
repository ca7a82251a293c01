import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { systemClock } from '../../kernel/ports.ts'

let base: TestBase
let columns: Map<string, readonly string[]>
beforeAll(async () => {
  base = await createTestBase(systemClock)
  const tables = await base.db.introspection.getTables()
  columns = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
})
afterAll(() => base.close())

test('the migrations make a column for every field that create and edit store, and none of another entity', () => {
  for (const { resource, table, members } of base.kept) {
    const stored = Object.keys(resource.input.shape).filter(
      (field) => !resource.fields[field]!.formOnly && field !== members?.field,
    )
    expect(columns.get(table), `${resource.name}: a migration for ${table}`).toEqual(
      expect.arrayContaining(['id', 'owner_id', 'created_at', 'updated_at', ...stored]),
    )
    if (members) expect(columns.get(members.table)).toEqual(['group_id', members.column])
  }
})
