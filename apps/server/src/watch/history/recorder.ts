import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '@qd/core/errors'
import { type HistoryPoint, isSampledMetric } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import type { Engine } from '../../kernel/engine.ts'
import { reasonOf } from '../../store/db/storage.ts'
import { createGatherer, metricNames } from './figures.ts'
import type { History, Series, SeriesQuery, ServiceQuery, ServiceSeries } from './history.ts'
import { heldMs, hold, hostSeriesId } from './host-series.ts'
import type { Found, FoundSeries, ReadQuery } from './read.ts'
import { createServiceSums } from './service-sums.ts'
import { createResultGatherer } from './services.ts'
import { type Keep, rollUp, type Step, startOf, tierFor, tiers } from './steps.ts'
import type { Batch, Written } from './store.ts'
import { createHistoryWorker } from './worker.ts'

const hour = 3_600_000
const stepMs = tiers[0].stepMs
const retryMs = 1000
const slice = 50

export function createHistory(
  {
    config,
    postgres,
    settings,
    clock,
    retention,
    log,
  }: Pick<Base, 'config' | 'postgres' | 'settings' | 'clock' | 'retention' | 'log'>,
  live: LiveState,
): { history: History; engine: Engine } {
  const file = join(config.data, 'history.db')
  const store = createHistoryWorker(postgres ?? { file })
  /** While nothing is stored, no thread is needed to find that out. */
  let isEmpty = postgres === null && !existsSync(file)
  /** Sums are totals: written before the stored ones are known, they would replace those. */
  let areSumsKnown = isEmpty
  const samples = createGatherer()
  const results = createResultGatherer()
  const sums = createServiceSums(settings.timeZone, retention.now)
  /** The newest counted sample: the live state also announces other changes. */
  const counted = new Map<number, unknown>()
  let openAt = startOf(clock.now(), stepMs)
  let last: Written = { sizeBytes: 0, problem: null }
  let problem: string | null = null
  let unlisten = () => {}
  let cancel = () => {}
  let cancelRetry = () => {}

  function keep(): Keep {
    const { history_fine_hours, history_middle_days, history_coarse_days } = settings.get()
    return [
      Number(history_fine_hours) * hour,
      Number(history_middle_days) * 24 * hour,
      Number(history_coarse_days) * 24 * hour,
    ]
  }

  async function flush(): Promise<void> {
    if (samples.isEmpty() && results.isEmpty()) return
    await write({ figures: samples.take(), results: results.take() })
  }

  const retry = () => write({ figures: createGatherer().take(), results: createResultGatherer().take() })

  async function learnSums(): Promise<void> {
    if (areSumsKnown) return
    const stored = await store.sums()
    if (!areSumsKnown) sums.load(stored)
    areSumsKnown = true
  }

  async function write(fresh: Pick<Batch, 'figures' | 'results'>): Promise<void> {
    const batch = { at: openAt, ...fresh, keep: keep(), now: retention.now() }
    isEmpty = false
    try {
      // What fails here fails below, too.
      if (!areSumsKnown) await learnSums().catch(() => {})
      last = await store.write({ ...batch, sums: areSumsKnown ? sums.changed() : [] })
      if (last.note) log.warn(last.note)
      became(last.problem)
    } catch (error) {
      failed(error)
    }
  }

  const failed = (error: unknown) => became(reasonOf(error))

  function became(now: string | null): void {
    if (now !== null && problem === null) log.error({ reason: now }, 'cannot write history; buffering in memory')
    if (now === null && problem !== null) log.info('writing history again')
    problem = now
    cancelRetry()
    if (problem !== null) cancelRetry = clock.after(retryMs, () => void retry())
  }

  /** Ends the open step as soon as the clock says another one, an earlier one included. */
  function roll(): void {
    const at = startOf(clock.now(), stepMs)
    if (at === openAt) return
    void flush()
    openAt = at
  }

  function listen(id: number): void {
    const sample = live.sampleOf(id)
    if (live.lastActive(id) === null) counted.delete(id)
    else if (counted.get(id) !== sample) {
      counted.set(id, sample)
      roll()
      samples.add(id, sample, live.hostOf(id))
    }
  }

  function wait(): void {
    cancel = clock.after(openAt + stepMs - clock.now(), () => {
      roll()
      wait()
    })
  }

  async function read(query: ReadQuery, open: readonly FoundSeries[]): Promise<Found> {
    const { stepMs, series } = isEmpty ? { stepMs: query.stepMs, series: [] } : await store.read(query)
    const found = new Map(series.map((each) => [`${each.serviceId}:${each.serverId}`, each]))
    for (const { serviceId, serverId, steps } of open) {
      const within = steps.filter(({ at }) => at >= startOf(query.from, stepMs) && at <= query.to)
      if (within.length === 0) continue
      const key = `${serviceId}:${serverId}`
      const all = [...(found.get(key)?.steps ?? []), ...within]
      found.set(key, { serviceId, serverId, steps: rollUp(all, stepMs) })
    }
    return { stepMs, series: [...found.values()] }
  }

  async function points(query: SeriesQuery): Promise<{ stepMs: number; series: Series[] }> {
    const sampled = await samplePoints(query)
    const ofHosts = await hostPoints({ ...query, stepMs: sampled.stepMs })
    const stepMs = Math.max(sampled.stepMs, ofHosts.stepMs)
    const found = new Map([...sampled.series, ...ofHosts.series].map((one) => [`${one.serverId} ${one.metric}`, one]))
    const series = query.servers.flatMap((serverId) =>
      query.metrics.flatMap((metric) => found.get(`${serverId} ${metric}`) ?? { serverId, metric, points: [] }),
    )
    return { stepMs, series }
  }

  /** A value counts until the next one, as it does for rules: what was read before `from` may count then. */
  async function hostPoints({ servers, metrics, from, to, stepMs }: SeriesQuery) {
    const names = new Map(
      metrics.filter((metric) => !isSampledMetric(metric)).map((name) => [hostSeriesId(name), name]),
    )
    if (names.size === 0) return { stepMs, series: [] }
    const begin = from - Math.max(...[...names.values()].map(heldMs))
    const now = clock.now()
    const given = tierFor({ stepMs, from, now }, keep()).stepMs
    // What counts from before `from` may be kept in a coarser tier only.
    const held = tierFor({ stepMs: given, from: begin, now }, keep())
    const found = await readServices({ services: [...names.keys()], servers, from: begin, to, ...held })
    const end = Math.min(to, now)
    const series = found.series.map(({ serviceId, serverId, steps }): Series => {
      const metric = defined(names.get(serviceId))
      const range = { from, to: end, stepMs: given, heldMs: Math.max(found.stepMs, heldMs(metric)) }
      return { serverId, metric, points: hold(toPoints(steps, 0), range) }
    })
    return { stepMs: given, series }
  }

  async function samplePoints({ servers, metrics: all, from, to, stepMs: wanted }: SeriesQuery) {
    const metrics = all.filter(isSampledMetric)
    if (metrics.length === 0) return { stepMs: wanted, series: [] }
    const places = [...new Set(metrics.map((metric) => metricNames.indexOf(metric)))].sort((a, b) => a - b)
    const { tier, stepMs: given } = tierFor({ stepMs: wanted, from, now: clock.now() }, keep())
    const open = servers.flatMap((serverId) => {
      const step = samples.stepOf(serverId, openAt)
      const figures = places.map((place) => step?.figures[place] ?? null)
      return step ? [{ serviceId: 0, serverId, steps: [{ ...step, figures }] }] : []
    })
    const query = { services: [0], servers, metrics: places, from, to, tier, stepMs: given }
    const answer = await read(query, open)
    const found = new Map(answer.series.map(({ serverId, steps }) => [serverId, steps]))
    const series = servers.flatMap((serverId) =>
      metrics.map((metric): Series => {
        const place = places.indexOf(metricNames.indexOf(metric))
        return { serverId, metric, points: toPoints(found.get(serverId) ?? [], place) }
      }),
    )
    return { stepMs: answer.stepMs, series }
  }

  function readServices(query: Omit<ReadQuery, 'metrics'>): Promise<Found> {
    const isWanted = (serverId: number) => query.servers?.includes(serverId) ?? true
    const open = query.services.flatMap((serviceId) =>
      results
        .stepsOf(serviceId, openAt)
        .filter(({ serverId }) => isWanted(serverId))
        .map(({ serverId, step }) => ({ serviceId, serverId, steps: [step] })),
    )
    return read({ ...query, metrics: null }, open)
  }

  async function servicePoints({ services, servers, from, to, stepMs: wanted }: ServiceQuery) {
    const { tier, stepMs: given } = tierFor({ stepMs: wanted, from, now: clock.now() }, keep())
    const found = await readServices({ services, servers: servers ?? null, from, to, tier, stepMs: given })
    const series = found.series.map(
      ({ serviceId, serverId, steps }): ServiceSeries => ({
        serviceId,
        serverId,
        steps: steps.map(({ at, n, down, figures }) => ({ at, up: n, down, delay: figures[0]?.[0] ?? null })),
      }),
    )
    return { stepMs: found.stepMs, series }
  }

  const history: History = {
    service(point) {
      roll()
      results.add(point)
      sums.add(point)
    },
    host(serverId, values) {
      roll()
      const at = clock.now()
      for (const [series, value] of values)
        results.add({ serviceId: hostSeriesId(series), serverId, at, delay: value, ok: true })
    },
    points,
    servicePoints,
    async lastHour(servers: readonly number[], metrics: readonly string[]) {
      const to = clock.now()
      const series: Series[] = []
      for (let from = 0; from < servers.length; from += slice) {
        const some = servers.slice(from, from + slice)
        series.push(...(await points({ servers: some, metrics, from: to - hour, to, stepMs })).series)
      }
      return series
    },
    serviceDays: (serviceId) => sums.days(serviceId, clock.now()),
    serviceTrend: (serviceId) => sums.trend(serviceId, clock.now()),
    sizeBytes: () => last.sizeBytes,
  }
  const engine: Engine = {
    name: 'history',
    async start() {
      if (!isEmpty)
        await Promise.all([store.sizeBytes(), learnSums()]).then(([sizeBytes]) => {
          last = { sizeBytes, problem: null }
        }, failed)
      unlisten = live.onChange(listen)
      wait()
    },
    problem: () => problem && `cannot write history: ${problem}`,
    async stop() {
      unlisten()
      cancel()
      await flush()
      cancelRetry()
      await store.close()
      if (problem !== null) throw new Error(problem)
    },
  }
  return { history, engine }
}

function toPoints(steps: readonly Step[], place: number): HistoryPoint[] {
  return steps.flatMap(({ at, figures }) => {
    const figure = figures[place]
    return figure ? [[at, ...figure] as HistoryPoint] : []
  })
}
