import type { HostState } from '@qd/core/schemas'
import Driver from 'better-sqlite3'
import { encodeRow } from '../watch/history/codec.ts'
import { createGatherer } from '../watch/history/figures.ts'
import { scalesOf } from '../watch/history/rows.ts'
import { createServiceSums } from '../watch/history/service-sums.ts'
import { createResultGatherer } from '../watch/history/services.ts'
import { openHistoryFile } from '../watch/history/sqlite.ts'
import { rowMs, rowStart, type Step, tiers } from '../watch/history/steps.ts'

/** Values before `now`, by epoch ms. */
export interface MadePast {
  now: number
  days: number
  timeZone: string
  /** Null: offline. */
  servers: readonly { serverId: number; sampleAt(at: number): HostState | null }[]
  /** In ms; null: failed. */
  probes: readonly { serviceId: number; serverId: number; delayAt(at: number): number | null }[]
}

const hour = 3_600_000
const day = 24 * hour
/** The finest tier covers the six-hour charts. */
const keptMs = [7 * hour, 8 * day, 365 * day] as const
const samplesPerStep = 2
const probeEveryMs = 10 * 60_000

/** The server finds the file at its start. */
export async function writeMadePast(file: string, { now, days, timeZone, servers, probes }: MadePast): Promise<void> {
  await (await openHistoryFile(file)).close()
  const database = new Driver(file)
  const insertRow = database.prepare(
    'insert into history_rows (tier, service_id, server_id, at, data) values (?, ?, ?, ?, ?)',
  )
  const insertSum = database.prepare(
    'insert into history_sums (service_id, span_ms, slot, up, down, delay) values (?, ?, ?, ?, ?, ?)',
  )
  const writeSeries = (serviceId: number, serverId: number, stepOf: (times: readonly number[]) => Step | null) => {
    for (const [tier, { stepMs }] of tiers.entries()) {
      const first = rowStart(tier, now - Math.min(keptMs[tier]!, days * day))
      for (let at = first; at < now; at += rowMs(tier)) {
        const starts = multiples(at, Math.min(at + rowMs(tier), now - stepMs), stepMs)
        const steps = starts.flatMap((start) => stepOf(multiples(start, start + stepMs, stepMs / samplesPerStep)) ?? [])
        if (steps.length > 0)
          insertRow.run(tier, serviceId, serverId, at, encodeRow(steps, { at, stepMs }, scalesOf(serviceId)))
      }
    }
  }
  database.transaction(() => {
    for (const { serverId, sampleAt } of servers)
      writeSeries(0, serverId, (times) => {
        const gatherer = createGatherer()
        for (const at of times) {
          const sample = sampleAt(at)
          if (sample) gatherer.add(serverId, sample)
        }
        return gatherer.stepOf(serverId, times[0]!)
      })
    const pointOf = ({ serviceId, serverId, delayAt }: MadePast['probes'][number], at: number) => {
      const delay = delayAt(at)
      return { serviceId, serverId, at, delay, ok: delay !== null }
    }
    for (const probe of probes)
      writeSeries(probe.serviceId, probe.serverId, (times) => {
        const gatherer = createResultGatherer()
        for (const at of times) gatherer.add(pointOf(probe, at))
        return gatherer.stepsOf(probe.serviceId, times[0]!)[0]!.step
      })
    const sums = createServiceSums(() => timeZone)
    for (const at of multiples(now - days * day, now, probeEveryMs))
      for (const probe of probes) sums.add(pointOf(probe, at))
    for (const row of sums.changed()) insertSum.run(row.service_id, row.span_ms, row.slot, row.up, row.down, row.delay)
  })()
  database.close()
}

function multiples(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step)
}
