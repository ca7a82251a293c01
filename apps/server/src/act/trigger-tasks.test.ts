import { TaskCover } from '@qd/core/resources'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../tests/support/server/base.ts'
import { createTestClock } from '../../../../tests/support/server/clock.ts'
import type { CronRow } from '../store/records/rows.ts'
import { createTriggerTasks, type RunTriggered } from './trigger-tasks.ts'

let base: TestBase
let started: { name: string; by: string; raisedBy?: number }[]
let runTriggered: RunTriggered
beforeEach(async () => {
  base = await createTestBase(createTestClock())
  started = []
  runTriggered = createTriggerTasks(base, {
    async startCron(task: CronRow, { by, raisedBy }) {
      if (task.name === 'broken') throw new Error('no database')
      started.push({ name: task.name, by, ...(raisedBy !== undefined && { raisedBy }) })
      return started.length * 10
    },
  })
})
afterEach(() => base.close())

test('S-30 only tasks of the same owner run, all of them for an administrator', async () => {
  const own = await base.addCron({ name: 'own', owner_id: base.member.id })
  const foreign = await base.addCron({ name: 'foreign', owner_id: base.admin.id })
  const ids = [own.id, foreign.id, 99, own.id]
  const trigger = { serverId: 7, by: 'cpu high' }
  expect(await runTriggered(ids, { ownerId: base.member.id, ...trigger })).toEqual([10])
  expect(started).toEqual([{ name: 'own', by: 'cpu high', raisedBy: 7 }])
  await runTriggered(ids, { ownerId: base.admin.id, ...trigger })
  expect(started.slice(1).map(({ name }) => name)).toEqual(['own', 'foreign'])
})

test('a task for the server that raised it runs where its own owner reaches that server', async () => {
  const server = await base.addServer({ owner_id: base.admin.id })
  const cover = TaskCover.onAlert
  const ofMember = await base.addCron({ name: 'of member', owner_id: base.member.id, cover })
  const ofAdmin = await base.addCron({ name: 'of admin', owner_id: base.admin.id, cover })
  await runTriggered([ofMember.id, ofAdmin.id], { ownerId: base.admin.id, serverId: server.id, by: 'x' })
  expect(started.map(({ name }) => name)).toEqual(['of admin'])
  await runTriggered([ofAdmin.id], { ownerId: base.admin.id, serverId: 99, by: 'x' })
  expect(started).toHaveLength(1)
})

test('one that cannot be started does not stop the others', async () => {
  const broken = await base.addCron({ name: 'broken' })
  const good = await base.addCron({ name: 'good' })
  expect(await runTriggered([broken.id, good.id], { ownerId: 1, serverId: 7, by: 'x' })).toEqual([10])
  expect(base.lines.some((line) => line.includes('failed to start task for incident'))).toBe(true)
})
