import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyRow, Resource, ResourceName } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { defineEntity } from '@qd/server/resources/entity'
import Driver from 'better-sqlite3'
import { berth } from './berth.ts'
import { createWorld, type World } from './world.ts'

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
  tasks text not null, beside integer not null, code text not null, lit integer not null)`

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
