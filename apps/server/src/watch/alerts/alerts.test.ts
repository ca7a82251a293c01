import type { RuleCondition } from '@qd/core/define'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cpu, cpuRule, startAlerts } from '../../../../../tests/support/server/alerts.ts'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createLiveStore, type LiveStore } from '../../fleet/live/live-store.ts'
import type { AlertRuleRow } from '../../store/records/rows.ts'
import type { IncidentPipe } from '../incidents/incidents.ts'
import type { Notice } from '../notices/types.ts'
import type { Alerts } from './alerts.ts'

let clock: TestClock
let base: TestBase
let live: LiveStore
let pipe: IncidentPipe
let alerts: Alerts
let sent: Notice[]
let lifted: string[]
let ran: string[]
let wanted: () => readonly unknown[]
let known: Map<string, number>
let stop: () => Promise<void>

async function start() {
  ;({ pipe, alerts, sent, lifted, ran, wanted, stop } = await startAlerts(base, live, known))
}

beforeEach(async () => {
  clock = createTestClock()
  known = new Map()
  base = await createTestBase(clock)
  live = createLiveStore(base)
  await start()
})
afterEach(async () => {
  await stop()
  await base.close()
})

const addRule = (fields: Partial<AlertRuleRow> = {}) =>
  base.alertRules.insert({ owner_id: base.admin.id, ...cpuRule, ...fields })

async function ticks(count: number, loads: Readonly<Record<number, number>>) {
  for (let n = 0; n < count; n += 1) {
    for (const [id, load] of Object.entries(loads)) live.reportState(Number(id), { cpu: load })
    await clock.advance(3000)
  }
}

/** The first tick is 13 s after the start. */
const untilFirst = () => clock.advance(10_000)

const messages = () => sent.map(({ message }) => message)
const heads = () => messages().map((message) => message.split(': ')[0])

test('once: told when it begins and when it is over, with the server and its masked address', async () => {
  const { id } = await base.addServer()
  await addRule({ fail_trigger_tasks: [4], recover_trigger_tasks: [5] })
  live.reportGeoIp(id, { ip: { ipv4_addr: '103.80.236.249' } })
  await untilFirst()
  await ticks(2, { [id]: 95 })
  expect(sent).toEqual([])
  await ticks(3, { [id]: 95 })
  expect(sent).toMatchObject([
    {
      message: expect.stringMatching(/^\[Incident\] web-1\(103\.\*{4}\.249\) cpu high: /),
      groupId: 3,
      serverId: id,
      mute: `alert 1 ${id}`,
    },
  ])
  await ticks(2, { [id]: 10 })
  expect(heads()).toEqual(['[Incident] web-1(103.****.249) cpu high', '[Resolved] web-1(103.****.249) cpu high'])
  expect(sent[1]).toMatchObject({ mute: null, serverId: id })
  expect(lifted).toEqual([`alert 1 ${id}`])
  expect(ran).toEqual([`4 on ${id} for 1 by alert-rule cpu high`, `5 on ${id} for 1 by alert-rule cpu high`])
})

test('issue 36.41 a message says the value, the limit and since when, also after a restart', async () => {
  await base.settings.put({ ...base.settings.get(), time_zone: 'Asia/Tokyo' })
  const { id } = await base.addServer()
  await addRule({ trigger_mode: 0 })
  await addRule({ name: 'gone', rules: [{ type: 'offline', duration: 3, cover: 0 }] })
  await untilFirst()
  await ticks(3, { [id]: 95.26 })
  const since = '2026-11-20 21:00:19'
  expect(messages()).toEqual([`[Incident] web-1() cpu high: cpu 95.3 %, limit 90.0 %, since ${since}`])
  await stop()
  await start()
  await untilFirst()
  await ticks(3, { [id]: 95 })
  await ticks(2, { [id]: 12 })
  expect(messages().at(-1)).toBe(`[Resolved] web-1() cpu high: cpu 12.0 %, limit 90.0 %, began ${since}`)
  live.silent(id)
  await clock.advance(15_000)
  expect(messages().at(-1)).toMatch(/^\[Incident\] web-1\(\) gone: since 2026-11-20 21:\d\d:\d\d$/)
})

test('issue 10.12: ids of deleted tasks leave a rule without ending what is open', async () => {
  const { id } = await base.addServer()
  const rule = await addRule({ fail_trigger_tasks: [4], recover_trigger_tasks: [4, 5] })
  await untilFirst()
  await ticks(5, { [id]: 95 })
  await base.alertRules.update(rule.id, (row) => ({ ...row, fail_trigger_tasks: [], recover_trigger_tasks: [5] }), {
    isCleaning: true,
  })
  await ticks(5, { [id]: 95 })
  expect(heads()).toEqual(['[Incident] web-1() cpu high'])
  await ticks(2, { [id]: 10 })
  expect(ran).toEqual([`4 on ${id} for 1 by alert-rule cpu high`, `5 on ${id} for 1 by alert-rule cpu high`])
})

test('issue 14: a rule that follows a group keeps what it knows of servers that stay; who joins begins anew, who leaves is closed without a word', async () => {
  const [stays, joins] = [await base.addServer({ name: 'stays' }), await base.addServer({ name: 'joins' })]
  const watches = (...ids: number[]) => [{ ...cpu, cover: 1, ignore: Object.fromEntries(ids.map((id) => [id, true])) }]
  const rule = await addRule({ rules: watches(stays.id), follows: true, server_query: 'group:web' })
  const members = (...ids: number[]) =>
    base.alertRules.update(rule.id, (row) => ({ ...row, rules: watches(...ids) }), { isCleaning: true })
  await untilFirst()
  await ticks(2, { [stays.id]: 95, [joins.id]: 95 })
  await members(stays.id, joins.id)
  await ticks(1, { [stays.id]: 95, [joins.id]: 95 })
  expect(messages()).toHaveLength(1)
  await ticks(2, { [stays.id]: 95, [joins.id]: 95 })
  expect(heads()).toEqual(['[Incident] stays() cpu high', '[Incident] joins() cpu high'])
  await members(joins.id)
  expect(pipe.isOpen({ source: 'alert-rule', sourceId: rule.id, serverId: stays.id })).toBe(false)
  await members(joins.id, stays.id)
  // What it knew of the one that left is gone: it takes three samples again.
  await ticks(2, { [stays.id]: 95 })
  expect(messages()).toHaveLength(2)
  await ticks(1, { [stays.id]: 95 })
  expect(messages()).toHaveLength(3)
})

test('plain addresses are told where the settings say so', async () => {
  const { id } = await base.addServer()
  await addRule()
  await base.settings.put({ ...base.settings.get(), enable_plain_ip_in_notification: true })
  live.reportGeoIp(id, { ip: { ipv4_addr: '103.80.236.249' } })
  await untilFirst()
  await ticks(3, { [id]: 95 })
  expect(heads()).toEqual(['[Incident] web-1(103.80.236.249) cpu high'])
})

test('always: told again and again, which the mute thins out, but tasks run once (Q6)', async () => {
  const { id } = await base.addServer()
  await addRule({ trigger_mode: 0, fail_trigger_tasks: [4] })
  await untilFirst()
  await ticks(18, { [id]: 95 })
  expect(messages()).toHaveLength(4)
  expect(new Set(sent.map(({ mute }) => mute)).size).toBe(1)
  expect(ran).toHaveLength(1)
})

test('offline: a clean end counts at once, a silent one after 6 s; resource rules do not judge stale figures', async () => {
  const [clean, silent] = [await base.addServer(), await base.addServer()]
  await addRule({ name: 'gone', rules: [{ type: 'offline', duration: 3, cover: 0 }] })
  await addRule({ name: 'cpu high' })
  await untilFirst()
  await ticks(1, { [clean.id]: 95, [silent.id]: 95 })
  live.silent(clean.id)
  await clock.advance(9000)
  expect(pipe.failingServers(1)).toEqual([clean.id])
  await clock.advance(6000)
  expect(pipe.failingServers(1)).toEqual([clean.id, silent.id])
  expect(pipe.failingServers(2)).toEqual([])
  await ticks(1, { [clean.id]: 1, [silent.id]: 1 })
  expect(pipe.failingServers(1)).toEqual([])
})

test.each([600_000, -600_000])('issue 11.5: a clock that is set by %i ms takes no server for offline', async (jump) => {
  const { id } = await base.addServer()
  const ready = await addRule({ name: 'gone', rules: [{ type: 'offline', duration: 3, cover: 0 }] })
  await untilFirst()
  await ticks(3, { [id]: 1 })
  clock.jump(jump)
  await clock.advance(3000)
  await ticks(5, { [id]: 1 })
  expect([messages(), pipe.failingServers(ready.id)]).toEqual([[], []])
  await clock.advance(12_000)
  expect(pipe.failingServers(ready.id)).toEqual([id])
})

test('a rule of a member watches its own servers, one of an admin all', async () => {
  const [own, foreign] = [await base.addServer({ owner_id: base.member.id }), await base.addServer({ owner_id: 1 })]
  await addRule({ owner_id: base.member.id })
  await addRule()
  await untilFirst()
  await ticks(3, { [own.id]: 95, [foreign.id]: 95 })
  expect(pipe.failingServers(1)).toEqual([own.id])
  expect(pipe.failingServers(2)).toEqual([own.id, foreign.id])
  await base.servers.update(own.id, (row) => ({ ...row, owner_id: base.admin.id }))
  await clock.advance(3000)
  expect(pipe.failingServers(1)).toEqual([])
})

describe('a rule that is saved', () => {
  test('begins anew: mutes are forgotten (Q7), nothing is said of what was open', async () => {
    const { id } = await base.addServer()
    const rule = await addRule()
    await untilFirst()
    await ticks(3, { [id]: 95 })
    await base.alertRules.update(rule.id, (row) => ({ ...row, name: 'cpu very high' }))
    expect(pipe.failingServers(1)).toEqual([])
    expect(lifted).toEqual([`alert 1 ${id}`])
    await ticks(2, { [id]: 95 })
    expect(messages()).toHaveLength(1)
    await ticks(1, { [id]: 95 })
    expect(heads().at(-1)).toBe('[Incident] web-1() cpu very high')
  })

  test('as switched off, or deleted, is silent', async () => {
    const { id } = await base.addServer()
    const [one, two] = [await addRule(), await addRule()]
    await untilFirst()
    await ticks(3, { [id]: 95 })
    await base.alertRules.update(one.id, (row) => ({ ...row, enable: false }))
    await base.alertRules.remove([two.id])
    expect(pipe.all()).toEqual([])
    await ticks(5, { [id]: 95 })
    await ticks(1, { [id]: 5 })
    expect(messages()).toHaveLength(2)
  })
})

test('an incident of before a restart is not told again and ends when it is over', async () => {
  const { id } = await base.addServer()
  await addRule()
  await untilFirst()
  await ticks(3, { [id]: 95 })
  await stop()
  await start()
  await untilFirst()
  await ticks(4, { [id]: 95 })
  expect(pipe.failingServers(1)).toEqual([id])
  expect(sent).toEqual([])
  await ticks(1, { [id]: 5 })
  expect(heads()).toEqual(['[Resolved] web-1() cpu high'])
})

test('an incident whose rule went while the server was down is closed without a word', async () => {
  const { id } = await base.addServer()
  await addRule()
  await untilFirst()
  await ticks(3, { [id]: 95 })
  await stop()
  await base.alertRules.update(1, (row) => ({ ...row, enable: false }))
  await start()
  expect(pipe.all()).toEqual([])
  expect(sent).toEqual([])
})

test('S-50 damaged rules and one that throws do not stop the others', async () => {
  const odd = await base.addServer({ name: 'odd' })
  const { id } = await base.addServer()
  const thrower: RuleCondition = { ...cpu, ignore: {} }
  await addRule({ name: 'null', rules: [null as never] })
  await addRule({ name: 'unknown', rules: [{ type: 'nonsense', min: 1, duration: 3, cover: 0 }] })
  await addRule({ name: 'zero', rules: [{ type: 'cpu', max: 0, duration: 0, cover: 0 }] })
  await addRule({ name: 'huge', rules: [{ type: 'cpu', max: 1, duration: 1e15, cover: 0 }] })
  await addRule({ name: 'throws', rules: [thrower], fail_trigger_tasks: null as never })
  await addRule({ name: 'gpu throws', rules: [{ type: 'gpu_max', max: 1, duration: 3, cover: 0 }] })
  await addRule({ name: 'good' })
  await untilFirst()
  live.reportState(odd.id, { cpu: 95, gpu: 5 as never })
  await ticks(5, { [id]: 95 })
  expect(heads()).toContain('[Incident] web-1() good')
  expect(messages().some((text) => /null|unknown|zero|huge|gpu/.test(text))).toBe(false)
  expect(alerts.engine.problem?.()).toBeNull()
  expect(base.lines.filter((line) => line.includes('failed to evaluate alert rule'))).toHaveLength(2)
})

test('traffic of a cycle is told of when it is over the limit, and counted for who may see it', async () => {
  const { id } = await base.addServer()
  await addRule({
    name: 'traffic',
    rules: [
      {
        type: 'transfer_in_cycle',
        max: 1000,
        cover: 1,
        ignore: { [id]: true },
        cycle_start: '2026-11-01T00:00:00Z',
        cycle_interval: 1,
        cycle_unit: 'month',
      },
    ],
  })
  const report = (bytes: number) => live.reportState(id, { net_in_transfer: bytes })
  expect(alerts.cycleStats(() => true)).toBeNull()
  report(5000)
  report(5900)
  await untilFirst()
  await clock.advance(6000)
  await expect
    .poll(() => alerts.cycleStats(() => true))
    .toEqual({
      1: {
        name: 'traffic',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        max: 1000,
        min: 0,
        server_name: { [id]: 'web-1' },
        transfer: { [id]: 900 },
        next_update: { [id]: '2026-11-20T12:01:13.000Z' },
      },
    })
  expect(alerts.cycleStats(() => false)).toBeNull()
  report(6001)
  await clock.advance(54_000)
  expect(sent).toEqual([])
  await clock.advance(6000)
  await expect
    .poll(() => sent)
    .toMatchObject([{ message: expect.stringContaining('[Incident] web-1() traffic: '), serverId: id }])
  expect(messages()[0]).toContain('transfer_in_cycle 1001 B, limit 1000 B, since ')
  expect(pipe.all()[0]!.reading).toEqual({ metric: 'transfer_in_cycle', value: 1001, limit: 1000 })
})

describe('issue 40: a rule about what runs on a host', () => {
  const down = { type: 'unit_down:nginx', duration: 3, cover: 0 }

  test('fires for a named unit that isn’t active, says nothing while that is unknown, and has only its servers read', async () => {
    const [one, two] = [await base.addServer(), await base.addServer()]
    expect(wanted()).toEqual([])
    await addRule({ name: 'nginx', rules: [{ ...down, cover: 1, ignore: { [one.id]: true } }] })
    await untilFirst()
    await ticks(5, { [one.id]: 1, [two.id]: 1 })
    expect(wanted()).toEqual([{ serverId: one.id, metrics: ['unit_down:nginx'] }])
    expect(messages()).toEqual([])
    for (const { id } of [one, two]) known.set(`${id} unit_down:nginx`, 1)
    await ticks(40, { [one.id]: 1, [two.id]: 1 })
    expect(messages()).toEqual([expect.stringMatching(/^\[Incident\] web-1\(\) nginx: unit_down:nginx, since /)])
    known.set(`${one.id} unit_down:nginx`, 0)
    await ticks(13, { [one.id]: 1 })
    expect(heads().at(-1)).toBe('[Resolved] web-1() nginx')
  })

  test('fires for a named container that doesn’t run, and resolves when it does', async () => {
    const { id } = await base.addServer()
    await addRule({ name: 'app', rules: [{ ...down, type: 'container_down:app' }] })
    await untilFirst()
    await ticks(5, { [id]: 1 })
    expect(wanted()).toEqual([{ serverId: id, metrics: ['container_down:app'] }])
    known.set(`${id} container_down:app`, 1)
    await ticks(42, { [id]: 1 })
    expect(messages()).toEqual([expect.stringMatching(/^\[Incident\] web-1\(\) app: container_down:app, since /)])
    known.set(`${id} container_down:app`, 0)
    await ticks(13, { [id]: 1 })
    expect(heads().at(-1)).toBe('[Resolved] web-1() app')
  })

  test('fires for one filesystem beyond its limit, and says its use', async () => {
    const { id } = await base.addServer()
    await addRule({ name: 'disk', rules: [{ type: 'fs_used:/var', max: 90, duration: 3, cover: 0 }] })
    await untilFirst()
    await ticks(5, { [id]: 1 })
    expect(wanted()).toEqual([{ serverId: id, metrics: ['fs_used:/var'] }])
    known.set(`${id} fs_used:/var`, 91.26)
    await ticks(42, { [id]: 1 })
    expect(messages()).toEqual([expect.stringContaining('disk: fs_used:/var 91.3 %, limit 90.0 %, since ')])
    known.set(`${id} fs_used:/var`, 90)
    await ticks(13, { [id]: 1 })
    expect(heads().at(-1)).toBe('[Resolved] web-1() disk')
  })

  test('counts: more than none is a limit; an unknown value is no data', async () => {
    const { id } = await base.addServer()
    await addRule({ name: 'units', rules: [{ type: 'units_failed', max: 0.5, duration: 3, cover: 0 }] })
    await untilFirst()
    known.set(`${id} units_failed`, 2)
    await ticks(39, { [id]: 1 })
    // One reading, which counts for a minute, isn’t enough.
    expect(messages()).toEqual([])
    await ticks(1, { [id]: 1 })
    expect(messages()).toEqual([expect.stringContaining('units: units_failed 2, limit 0, since ')])
    known.delete(`${id} units_failed`)
    await ticks(3, { [id]: 1 })
    expect(pipe.failingServers(1)).toEqual([id])
    known.set(`${id} units_failed`, 0)
    await ticks(13, { [id]: 1 })
    expect(pipe.failingServers(1)).toEqual([])
  })

  test('a member’s rule reads and says nothing while members don’t see hosts', async () => {
    const { id } = await base.addServer({ owner_id: base.member.id })
    await base.settings.put({ ...base.settings.get(), members_see_hosts: false })
    await addRule({ owner_id: base.member.id, name: 'nginx', rules: [down] })
    expect(wanted()).toEqual([])
    await untilFirst()
    known.set(`${id} unit_down:nginx`, 1)
    await ticks(5, { [id]: 1 })
    expect(messages()).toEqual([])
    await base.settings.put({ ...base.settings.get(), members_see_hosts: true })
    await ticks(42, { [id]: 1 })
    expect(messages()).toHaveLength(1)
    expect(pipe.failingServers(1)).toEqual([id])
    await base.settings.put({ ...base.settings.get(), members_see_hosts: false })
    await ticks(1, { [id]: 1 })
    expect(pipe.failingServers(1)).toEqual([])
    expect(wanted()).toEqual([])
  })
})

test('a server that is deleted takes its incidents along', async () => {
  const [one, two] = [await base.addServer(), await base.addServer()]
  await addRule()
  await untilFirst()
  await ticks(3, { [one.id]: 95, [two.id]: 95 })
  await base.servers.remove([one.id])
  expect(pipe.failingServers(1)).toEqual([two.id])
  await ticks(2, { [two.id]: 95 })
  expect(messages()).toHaveLength(2)
})
