import { observable } from '@legendapp/state'
import type { Client, Ports } from '../api/index.ts'
import type { AnyRow, View } from '../define/index.ts'
import { server } from '../resources/index.ts'
import { historyAnswer, historyLimits } from '../schemas/index.ts'
import { type Trends, trendMs } from './trends.ts'

/** Metrics of the history and their names in a sample. */
const metrics = {
  cpu: 'cpu',
  memory: 'mem_used',
  swap: 'swap_used',
  disk: 'disk_used',
  net_in_speed: 'net_in_speed',
  net_out_speed: 'net_out_speed',
  load1: 'load_1',
} as const

/** Servers requested within this time share a call. */
const gatherMs = 30

/** The minutes before the program started, from the server’s history. */
export interface Past {
  /** Loads the last minutes of a server once. Observers are notified when they arrive. */
  want(id: number): void
  clear(): void
}

export interface PastOptions {
  client: Pick<Client, 'send' | 'capabilities'>
  ports: Pick<Ports, 'setTimer'>
  trends: Trends
  figures: readonly string[]
  now(): number
  find(id: number): AnyRow | undefined
  view(): View
}

/** Requests nothing from a server without history. */
export function createPast({ client, ports, trends, figures, now, find, view }: PastOptions): Past {
  const version$ = observable(0)
  const asked = new Set<number>()
  let waiting: number[] = []
  let round = 0

  const take = (data: unknown) => {
    const { step_ms, series } = historyAnswer().parse(data)
    const samples = new Map<number, Map<number, Record<string, number>>>()
    for (const { server_id, metric, points } of series) {
      const field = metrics[metric as keyof typeof metrics]
      const states = samples.get(server_id) ?? new Map<number, Record<string, number>>()
      samples.set(server_id, states)
      for (const [at, mean] of points) states.set(at, { ...states.get(at), [field]: mean })
    }
    for (const [id, states] of samples) {
      const row = find(id)
      if (!row) continue
      const seen = Date.parse(String(row.last_seen_at))
      // Derive past values from samples like any other, so that they mean the same.
      for (const [at, state] of [...states].sort(([a], [b]) => a - b))
        for (const figure of figures) {
          const value = server.derived[figure]?.({ ...row, state } as never, view())
          // The step in which the server went silent ends with its last report.
          if (typeof value === 'number') trends.fill(id, figure, value, at, at + step_ms > seen ? seen - at : step_ms)
        }
    }
    version$.set((version) => version + 1)
  }

  const send = async () => {
    const ids = waiting
    const own = round
    waiting = []
    if (!(await client.capabilities()).includes('history')) return
    for (let from = 0; from < ids.length; from += historyLimits.servers) {
      const to = now()
      const query = {
        servers: ids.slice(from, from + historyLimits.servers).join(','),
        metric: Object.keys(metrics).join(','),
        from: to - trendMs,
        to,
        points: 20,
      }
      const answer = await client.send({ method: 'GET', path: 'history', query })
      if (own === round) take(answer)
    }
  }
  return {
    want(id) {
      version$.get()
      if (asked.has(id)) return
      asked.add(id)
      // Trends are optional: without history one starts now.
      if (waiting.length === 0) ports.setTimer(() => void send().catch(() => undefined), gatherMs)
      waiting.push(id)
    },
    clear() {
      asked.clear()
      waiting = []
      round += 1
    },
  }
}
