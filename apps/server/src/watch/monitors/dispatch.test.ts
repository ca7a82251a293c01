import { ServiceStatus } from '@qd/core/resources'
import { beforeEach, expect, test } from 'vitest'
import { createTestMonitors, type TestMonitors } from '../../../../../tests/support/server/monitors.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

let stage: TestMonitors

beforeEach(async () => {
  stage = await createTestMonitors()
  return stage.close
})

const figures = (row: ServiceRow) => stage.monitors.figuresOf(row)

test('a new service is looked at at once, then once in its interval', async () => {
  const id = await stage.server()
  await stage.add()
  await stage.clock.advance(0)
  expect(stage.sentTo(id)).toHaveLength(1)
  expect(stage.sentTo(id)[0]).toMatchObject({ type: 3, data: '127.0.0.1:80' })
  stage.answer(id)
  await stage.clock.advance(29_999)
  expect(stage.sentTo(id)).toHaveLength(1)
  await stage.clock.advance(1)
  expect(stage.sentTo(id)).toHaveLength(2)
  expect(stage.sentTo(id)[1]!.id).not.toBe(stage.sentTo(id)[0]!.id)
})

test('an edit of the target looks again at once and forgets what the old one answered', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id, { ok: false })
  expect(stage.events.map(({ kind }) => kind)).toEqual(['failing'])
  const edited = (await stage.base.services.update(row.id, (before) => ({ ...before, target: '127.0.0.1:81' })))!
  await stage.clock.advance(0)
  expect(stage.sentTo(id).at(-1)!.data).toBe('127.0.0.1:81')
  stage.answer(id)
  expect(figures(edited).status).toBe(ServiceStatus.good)
  expect(stage.events.map(({ kind }) => kind)).toEqual(['failing', 'recovered'])
})

test('an edit of the name does not disturb the rhythm', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(10_000)
  stage.answer(id)
  await stage.base.services.update(row.id, (before) => ({ ...before, name: 'other' }))
  await stage.clock.advance(19_999)
  expect(stage.sentTo(id)).toHaveLength(1)
  await stage.clock.advance(1)
  expect(stage.sentTo(id)).toHaveLength(2)
})

test('a deleted service is dropped: no probe, no incident', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  await stage.base.services.remove([row.id])
  expect(stage.dropped).toEqual([row.id])
  stage.answer(id)
  await stage.clock.advance(60_000)
  expect(stage.points).toEqual([])
  expect(stage.sentTo(id)).toHaveLength(1)
})

test('a server that is deleted or given away is not heard any more', async () => {
  const id = await stage.server()
  await stage.base.services.remove(stage.base.services.all().map((row) => row.id))
  const row = await stage.add({ owner_id: stage.base.member.id })
  await stage.base.servers.update(id, (server) => ({ ...server, owner_id: stage.base.member.id }))
  await stage.clock.advance(0)
  await stage.base.servers.update(id, (server) => ({ ...server, owner_id: stage.base.admin.id }))
  stage.answer(id)
  expect(stage.points).toEqual([])
  await stage.clock.advance(30_000)
  expect(figures(row).error).toBe('this service covers no servers')
})

test('an answer over a new connection to what was asked over the old one is dropped', async () => {
  const id = await stage.server()
  await stage.add()
  await stage.clock.advance(0)
  stage.connect(id)
  stage.answer(id)
  expect(stage.points).toEqual([])
})

test('a server that owes an answer is asked again when it must have given up', async () => {
  const id = await stage.server()
  await stage.add({ duration: 10 })
  await stage.clock.advance(30_000)
  expect(stage.sentTo(id)).toHaveLength(1)
  await stage.clock.advance(10_000)
  expect(stage.sentTo(id)).toHaveLength(2)
})

test('a clock that was set, forward or back, does not stop probes', async () => {
  const id = await stage.server()
  await stage.add()
  await stage.clock.advance(0)
  stage.answer(id)
  for (const ms of [86_400_000, -2 * 86_400_000]) {
    stage.clock.jump(ms)
    const before = stage.sentTo(id).length
    await stage.clock.advance(60_000)
    stage.answer(id)
    expect(stage.sentTo(id).length).toBeGreaterThan(before)
  }
  expect(stage.base.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a thousand servers are asked in slices', async () => {
  const ids: number[] = []
  for (let count = 0; count < 500; count += 1) ids.push(await stage.server())
  await stage.add()
  await stage.clock.advance(0)
  const asked = () => ids.filter((id) => stage.sentTo(id).length > 0).length
  expect(asked()).toBe(100)
  await stage.clock.advance(40)
  expect(asked()).toBe(500)
})
