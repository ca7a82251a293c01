import type { RuleCondition } from '@qd/core/define'
import { cycleSpan } from '@qd/core/fields'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { type Direction, readyConditions, watches } from '../alerts/conditions.ts'
import { type Bytes, grown, type Meter, meterAt, read, unwritten, written } from './meter.ts'
import { createTrafficStore, createTrafficSums, type TrafficRow } from './traffic-store.ts'

export type Traffic = ReturnType<typeof createTraffic>

const hourMs = 3_600_000
const checkEveryMs = 30_000
/** A cleanup further off was planned before the clock was set back. */
const longestNightMs = 26 * hourMs
/** Servers per write; more at the stop, because the fleet keeps reporting in between. */
const maxAtOnce = 50
const maxAtStop = 1000

const nightly = parseSchedule('0 30 3 * * *')

/** Stores traffic per server and hour, and deletes what no rule counts (contract engines 1.6, 14). */
export function createTraffic(base: Base, live: LiveState) {
  const { db, clock, retention, log, servers, alertRules, settings } = base
  const store = createTrafficStore(db)
  const fail = (error: unknown, what: string) => {
    if (problem === null) log.error({ err: error }, what)
    problem = what
  }
  const sums = createTrafficSums(store, (work) => inTurn(work, 'failed to read traffic'))
  const meters = new Map<number, Meter>()
  let problem: string | null = null
  let hour = hourOf(clock.now())
  let cleanAt = 0
  let working: Promise<void> = Promise.resolve()
  let cancel = () => {}
  let unlisten: (() => void)[] = []

  function report(id: number) {
    if (live.lastActive(id) === null) return
    const { net_in_transfer = 0, net_out_transfer = 0 } = live.sampleOf(id)
    const counters = { boot: live.hostOf(id).boot_time ?? 0, in: net_in_transfer, out: net_out_transfer }
    const meter = meters.get(id)
    meters.set(id, meter ? read(meter, counters) : meterAt(counters))
  }

  async function writeDown(at: number, atOnce = maxAtOnce) {
    const rows: TrafficRow[] = []
    for (const [serverId, meter] of meters) {
      const next = written(meter)
      rows.push({ serverId, at, bytes: grown(meter), counters: next.base })
      meters.set(serverId, next)
    }
    for (const { serverId, bytes } of rows) sums.add(serverId, at, bytes)
    for (let first = 0; first < rows.length; first += atOnce) {
      const some = rows.slice(first, first + atOnce)
      try {
        await store.add(some)
        problem = null
      } catch (error) {
        fail(error, 'failed to write traffic')
        for (const { serverId, bytes } of some) {
          sums.add(serverId, at, { in: -bytes.in, out: -bytes.out })
          const meter = meters.get(serverId)
          if (meter) meters.set(serverId, unwritten(meter, bytes))
        }
      }
      await pause()
    }
  }

  async function cleanUp() {
    const now = retention.now()
    const rules = alertRules.all().map((row) => row.rules)
    const ids = await store.servers()
    for (const [index, id] of ids.entries()) {
      await store.forget(id, servers.find(id) ? keepFrom(rules, id, now) : null)
      if (index % maxAtOnce === maxAtOnce - 1) await pause()
    }
    sums.clear()
  }

  function inTurn(work: () => Promise<void>, failure: string) {
    working = working.then(work).catch((error: unknown) => fail(error, failure))
  }

  function nextNight(): number {
    if (!nightly.ok) return Number.POSITIVE_INFINITY
    const from = clock.now()
    const [next] = nextRuns(nightly.schedule, { from, count: 1, timeZone: settings.timeZone(), since: from })
    return next ?? Number.POSITIVE_INFINITY
  }

  function check() {
    const now = clock.now()
    const present = hourOf(now)
    if (present !== hour) {
      const ended = hour
      hour = present
      inTurn(() => writeDown(ended), 'failed to write traffic')
    }
    if (now >= cleanAt || cleanAt - now > longestNightMs) {
      cleanAt = nextNight()
      inTurn(cleanUp, 'failed to delete old traffic')
    }
    cancel = clock.after(Math.min(checkEveryMs, present + hourMs - now), check)
  }

  return {
    /** Bytes since the hour of `from` (epoch ms); null while they are being read. */
    since(serverId: number, direction: Direction, from: number): number | null {
      const stored = sums.since(from, serverId)
      if (!stored) return null
      const meter = meters.get(serverId)
      return inDirection(stored, direction) + (meter ? inDirection(grown(meter), direction) : 0)
    },
    engine: {
      name: 'traffic',
      async start() {
        for (const [id, counters] of await store.snapshots()) if (servers.find(id)) meters.set(id, meterAt(counters))
        unlisten = [
          live.onChange(report),
          servers.onChange(({ before, after }) => {
            if (!before || after) return
            meters.delete(before.id)
            inTurn(() => store.forgetSnapshot(before.id), 'failed to delete old traffic')
          }),
        ]
        hour = hourOf(clock.now())
        check()
      },
      problem: () => problem,
      async stop() {
        cancel()
        for (const stop of unlisten) stop()
        inTurn(() => writeDown(hour, maxAtStop), 'failed to write traffic')
        await working
      },
    },
  }
}

const hourOf = (now: number) => Math.floor(now / hourMs) * hourMs
const pause = () => new Promise((resolve) => setImmediate(resolve))
const inDirection = (bytes: Bytes, direction: Direction) =>
  direction === 'all' ? bytes.in + bytes.out : bytes[direction]

/** Start of the oldest cycle that counts the server's traffic (epoch ms); null without one. */
export function keepFrom(
  rules: readonly (readonly (RuleCondition | null)[])[],
  serverId: number,
  now: number,
): number | null {
  const spans = rules.flat().flatMap((rule) => {
    const [condition] = readyConditions([rule]) ?? []
    return rule && condition?.kind === 'cycle' && watches([rule], serverId) ? cycleSpan(condition.cycle, now).from : []
  })
  return spans.length === 0 ? null : Math.min(...spans)
}
