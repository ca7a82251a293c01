import { join } from 'node:path'
import Driver from 'better-sqlite3'
import pg from 'pg'
import { encodeRow, encodeStep } from '../../../apps/server/src/watch/history/codec.ts'
import { createGatherer, metricNames, serverScales } from '../../../apps/server/src/watch/history/figures.ts'
import { openHistoryFile } from '../../../apps/server/src/watch/history/sqlite.ts'
import { rowMs, rowStart, spans, tiers } from '../../../apps/server/src/watch/history/steps.ts'

/** Whose past is made up, in numbers; ids count from 1. */
export interface PastOptions {
  servers: number
  services: number
  /** Epoch ms of its end. */
  now: number
  days: number
}

const day = 86_400_000
/** How long each tier is kept where nobody has set it otherwise. */
const keepMs = [26 * 3_600_000, 8 * day, 365 * day] as const
/** Rows that differ; what is stored says nothing of when it was. */
const templates = 50

/** Writes history into a new file as if servers had reported all the time. For benchmarks: a month of 200 servers takes seconds. */
export async function writePast(file: string, { servers, services, now, days }: PastOptions): Promise<void> {
  await (await openHistoryFile(file)).close()
  const texts = Array.from({ length: templates }, (_, seed) => rowOf(seed + 1))
  const database = new Driver(file)
  const insert = database.prepare(
    'insert into history_rows (tier, service_id, server_id, at, data) values (?, 0, ?, ?, ?)',
  )
  const sum = database.prepare('insert into history_sums values (?, ?, ?, 2880, 3, 25000)')
  const last = rowStart(0, now)
  database.transaction(() => {
    for (const tier of tiers.keys()) {
      const first = rowStart(tier, now - Math.min(keepMs[tier]!, days * day))
      for (let at = first; at < last; at += rowMs(tier))
        for (let id = 1; id <= servers; id++) insert.run(tier, id, at, texts[(id + at / rowMs(tier)) % templates])
    }
    for (let id = 1; id <= services; id++)
      for (const { ms, kept } of Object.values(spans))
        for (let back = 0; back < kept; back++) sum.run(id, ms, Math.floor(now / ms) - back)
  })()
  database.close()
}

/** Twenty steps of samples that wander as those of a machine do. */
function rowOf(seed: number): string {
  let state = seed
  const random = (most: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  const { stepMs } = tiers[0]
  const steps = Array.from({ length: 20 }, (_, index) => {
    const gatherer = createGatherer()
    for (let sample = 0; sample < 10; sample++) {
      gatherer.add(1, {
        cpu: random(10_000) / 100,
        mem_used: 3e9 + random(1e8),
        swap_used: 1_048_576,
        disk_used: 4e10 + random(4_000_000),
        net_in_transfer: 1e12 + index * 6e7 + sample * 6e6,
        net_out_transfer: 2e12 + index * 6e7 + sample * 6e6,
        net_in_speed: random(2e6),
        net_out_speed: random(2e6),
        uptime: 100_000 + index * 30 + sample * 3,
        load_1: random(400) / 100,
        load_5: random(300) / 100,
        load_15: random(200) / 100,
        tcp_conn_count: 100 + random(50),
        udp_conn_count: 10,
        process_count: 200 + random(20),
      })
    }
    return gatherer.stepOf(1, index * stepMs)!
  })
  return encodeRow(steps, { at: 0, stepMs }, serverScales)
}

/** A row of ten minutes that was open when the server stopped: its next step does the work of a ten-minute mark. */
export function journalOf(servers: number, at: number): { at: number; data: string }[] {
  return Array.from({ length: 20 }, (_, index) => {
    const step = { at: at + index * 30_000, n: 10, down: 0 }
    const figures = metricNames.map((_name, metric) => [metric + index, metric, metric + 20, metric + 1] as const)
    const text = encodeStep({ ...step, figures }, serverScales)
    return { at: step.at, data: Array.from({ length: servers }, (_server, id) => `0:${id + 1}:${text}`).join('\n') }
  })
}

/** The journal of a stopped server, and how many rows of before `now` a running one has. */
export async function openJournal(folder: string, databaseUrl: string) {
  if (databaseUrl !== '') {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    return {
      add: (at: number, data: string) =>
        client.query('insert into history_journal (at, data) values ($1, $2)', [at, data]),
      left: async (before: number) =>
        Number((await client.query('select count(*) from history_journal where at < $1', [before])).rows[0].count),
      close: () => client.end(),
    }
  }
  const file = join(folder, 'history.db')
  await (await openHistoryFile(file)).close()
  const database = new Driver(file)
  return {
    add: async (at: number, data: string) =>
      database.prepare('insert into history_journal (at, data) values (?, ?)').run(at, data),
    left: async (before: number) =>
      database.prepare('select count(*) from history_journal where at < ?').pluck().get(before) as number,
    close: async () => void database.close(),
  }
}
