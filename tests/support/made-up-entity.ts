import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, defineResource, type Resource, type ResourceName } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { ids } from '@qd/core/schemas'
import { defineEntity } from '@qd/server/resources/entity'
import Driver from 'better-sqlite3'
import * as z from 'zod'
import { createWorld, type World } from './world.ts'

const instant = z.string()
const common = { id: z.int(), created_at: instant, updated_at: instant }

/** A berth: an entity that no line of the product knows, with one of each thing that shared code must treat by the definition alone. */
export const berth = defineResource({
  name: 'berth' as ResourceName,
  icon: 'server',
  title: 'name',
  path: '/dashboard/berth',
  input: z.strictObject({
    name: z.string().min(1).max(128),
    notification_group_id: z.int(),
    tasks: ids,
    code: z.string().nullable(),
    lit: z.boolean(),
  }),
  added: { ...common, has_code: z.boolean() },
  initial: { name: '', notification_group_id: 0, tasks: [], code: '', lit: false },
  fields: {
    id: { kind: 'number' },
    created_at: { kind: 'instant' },
    updated_at: { kind: 'instant' },
    name: { kind: 'text' },
    notification_group_id: { kind: 'ref', to: 'notification-group' },
    tasks: { kind: 'refs', to: 'cron' },
    code: { kind: 'secret', has: 'has_code' },
    has_code: { kind: 'flag', hidden: true },
    lit: { kind: 'flag' },
  },
  columns: [
    { field: 'name', show: 'always' },
    { field: 'notification_group_id' },
    { field: 'tasks' },
    { field: 'lit', show: 'always' },
  ],
  sort: { field: 'name', order: 'asc' },
  form: [
    {
      group: 'what',
      fields: [
        { field: 'name' },
        { field: 'notification_group_id' },
        { field: 'tasks' },
        { field: 'code' },
        { field: 'lit' },
      ],
    },
  ],
  scopes: { read: 'nezha:server:read', write: 'nezha:server:write', remove: 'nezha:server:delete' },
  actions: {
    light: { on: 'one', scope: 'nezha:server:write', icon: 'play', wire: { method: 'POST', path: 'berth/{id}/light' } },
  },
})

interface BerthRow {
  readonly id: number
  readonly owner_id: number
  readonly created_at: number
  readonly updated_at: number
  readonly name: string
  readonly lit: boolean
}

/** What the server knows of it: its table, and what its action does. */
const berths = defineEntity<ResourceName, BerthRow>(berth, {
  table: 'berths',
  rules: (_container, _around, records) => ({
    actions: {
      light: async (_caller: unknown, row: BerthRow) =>
        void (await records.update(row.id, (before) => ({ ...before, lit: true }))),
    },
  }),
})

/** The migration. */
const migration = `create table berths (id integer primary key autoincrement, owner_id integer not null,
  created_at integer not null, updated_at integer not null, name text not null, notification_group_id integer not null,
  tasks text not null, code text not null, lit integer not null)`

/** A record as answers have it. */
export type Berth = AnyRow & { name: string; tasks: number[]; notification_group_id: number; lit: boolean }

/** Every registry of the product knows berths, and a real server has their table; `close` undoes both. */
export async function createBerthWorld(): Promise<World> {
  const data = mkdtempSync(join(tmpdir(), 'qd-berth-'))
  const before = await createWorld({ data })
  await before.close()
  const file = new Driver(join(data, 'quarterdeck.db'))
  file.exec(migration)
  file.close()
  ;(resources as Resource[]).push(berth)
  const world = await createWorld({ data, entities: [berths] })
  const { close } = world
  return Object.assign(world, {
    async close() {
      ;(resources as Resource[]).pop()
      await close()
      rmSync(data, { recursive: true, force: true })
    },
  })
}
