import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import { createLastSeen, createLiveStore, type LiveStore } from './live-store.ts'

let clock: TestClock
let base: TestBase
let live: LiveStore
let server: ServerRow

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  live = createLiveStore(base)
  server = await base.addServer()
})
afterEach(() => base.close())

describe('figures', () => {
  test('a sample stays visible when its stream ends, but is not active any more', () => {
    live.reportState(server.id, { cpu: 5 })
    expect([live.lastActive(server.id), live.lastSeen(server.id)]).toEqual([clock.now(), clock.now()])
    live.silent(server.id)
    expect(live.sampleOf(server.id)).toEqual({ cpu: 5 })
    expect([live.lastActive(server.id), live.lastSeen(server.id)]).toEqual([null, clock.now()])
  })

  test.each([
    ['an earlier boot is stale', -100, { boot_time: 1000, version: 'old' }, { cpu: 5 }],
    ['the same boot replaces the host', 0, { boot_time: 1000, version: 'new' }, { cpu: 5 }],
    ['a boot time that jitters is the same boot', 1, { boot_time: 1001, version: 'new' }, { cpu: 5 }],
    ['a later boot empties the sample', 100, { boot_time: 1100, version: 'new' }, {}],
  ])('%s', (_name, later, host, state) => {
    live.reportHost(server.id, { boot_time: 1000, version: 'old' })
    live.reportState(server.id, { cpu: 5 })
    live.reportHost(server.id, { boot_time: 1000 + later, version: 'new' })
    expect(live.hostOf(server.id)).toEqual(host)
    expect(live.sampleOf(server.id)).toEqual(state)
    expect(live.lastActive(server.id) === null).toBe(later === 100)
  })

  test('issue 12.5: a warning holds: five samples in a row make it and end it, with the time of the first', () => {
    live.reportHost(server.id, { mem_total: 100 })
    const says = (...figures: number[]) =>
      figures.map((cpu) => {
        clock.jump(2000)
        live.reportState(server.id, { cpu })
        return live.pressureOf(server.id).since
      })
    expect(says(95, 95, 95, 95, 20, 95, 20, 95, 20)).toEqual(Array(9).fill(null))
    const began = clock.now() + 2000
    const since = new Date(began).toISOString()
    expect(says(95, 91, 99, 95, 95)).toEqual([null, null, null, null, since])
    const told = live.pressureOf(server.id)
    expect(says(20, 20, 20, 20, 95, 20, 20, 20, 20)).toEqual(Array(9).fill(since))
    // What the feed compares: another object would send the whole row again.
    expect(live.pressureOf(server.id)).toBe(told)
    expect(says(20)).toEqual([null])
  })

  test('every change raises the versions and is told', () => {
    const told: number[] = []
    live.onChange((id) => told.push(id))
    const versions = [live.version()]
    live.reportHost(server.id, { boot_time: 1 })
    versions.push(live.version())
    live.reportGeoIp(server.id, { ip: { ipv4_addr: '192.0.2.1' } })
    versions.push(live.version())
    live.forget(server.id)
    versions.push(live.version())
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    expect(told).toEqual([server.id, server.id, server.id])
    expect([live.hostOf(server.id), live.geoipOf(server.id), live.versionOf(server.id)]).toEqual([{}, { ip: {} }, 0])
  })
})

describe('the time a server was last seen', () => {
  const stored = () => base.servers.find(server.id)!.last_seen_at

  test('is stored within a second when it goes, and at most once a minute while it reports', async () => {
    const lastSeen = createLastSeen(base, live)
    await lastSeen.start()
    live.reportState(server.id, { cpu: 1 })
    await clock.advance(1000)
    const first = stored()
    expect(first).toBe(clock.now() - 1000)
    for (let second = 0; second < 30; second += 1) {
      live.reportState(server.id, { cpu: second })
      await clock.advance(1000)
    }
    expect(stored()).toBe(first)
    live.silent(server.id)
    await clock.advance(1000)
    expect(stored()).toBe(live.lastSeen(server.id))
    await lastSeen.stop()
  })

  test('survives a restart; what was not written yet is written at the stop', async () => {
    const lastSeen = createLastSeen(base, live)
    await lastSeen.start()
    live.reportState(server.id, { cpu: 1 })
    const at = clock.now()
    await lastSeen.stop()
    expect(createLiveStore(base).lastSeen(server.id)).toBe(at)
  })

  test('issue 12.5: an offline server keeps its machine, version and address over a restart', async () => {
    const lastSeen = createLastSeen(base, live)
    await lastSeen.start()
    const [host, geoip] = [{ platform: 'debian', version: '2.3.3', mem_total: 5 }, { ip: { ipv4_addr: '192.0.2.1' } }]
    live.reportHost(server.id, host)
    live.reportState(server.id, { cpu: 1 })
    await clock.advance(1000)
    live.reportGeoIp(server.id, geoip)
    await clock.advance(1000)
    await lastSeen.stop()
    const next = createLiveStore(base)
    expect([next.hostOf(server.id), next.geoipOf(server.id), next.sampleOf(server.id)]).toEqual([host, geoip, {}])
    // An agent that comes back with an earlier boot time than what is stored is believed.
    next.reportState(server.id, { cpu: 2 })
    expect(next.hostOf(server.id)).toEqual(host)
    next.reportHost(server.id, { version: '2.4.0' })
    expect([next.hostOf(server.id), next.geoipOf(server.id)]).toEqual([{ version: '2.4.0' }, geoip])
  })

  test('a server deleted meanwhile is no problem', async () => {
    const lastSeen = createLastSeen(base, live)
    await lastSeen.start()
    live.reportState(server.id, { cpu: 1 })
    await base.servers.remove([server.id])
    await clock.advance(2000)
    expect([lastSeen.problem?.(), base.lines]).toEqual([null, []])
    await lastSeen.stop()
  })
})
