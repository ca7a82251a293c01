import { kindOfMetric } from '@qd/core/define'
import { metricOf, type RuleMetric } from '@qd/core/fields'
import type { Host, HostState, SampledMetric } from '@qd/core/schemas'
import type { Condition } from './conditions.ts'
import { createMemory, judge, type Memory } from './judge.ts'
import type { Sample } from './measure.ts'

const samplesPerStep = 10
export const stepMs = 30_000

/** Steps by number. `to` is null if the rule would still fire. */
export interface BacktestResult {
  readonly fired: { readonly from: number; readonly to: number | null } | null
  readonly without: readonly boolean[]
  /** Values of the first condition by step. */
  readonly points: readonly (number | null)[]
  readonly hasData: boolean
  /** Steps in which the rule could be judged. */
  readonly known: number
}

/** What is known of a server in a step. A null state: no report. `hosts`: metrics of what runs on it. */
export interface BacktestStep {
  readonly state: HostState | null
  readonly hosts?: ReadonlyMap<string, number>
}

/** Scales windows of samples to steps. */
export function forSteps(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map((condition) =>
    condition.kind === 'cycle' ? condition : { ...condition, size: Math.ceil(condition.size / samplesPerStep) },
  )
}

/** Evaluates the steps of one server like samples. Traffic of cycles is ignored. */
export function backtest(
  conditions: readonly Condition[],
  { host, steps }: { host: Host; steps: readonly BacktestStep[] },
): BacktestResult {
  const alone = conditions.map((condition) => ({ of: [condition], memory: createMemory([condition]) }))
  const fired = alone.map(() => false)
  const points: (number | null)[] = []
  let from: number | null = null
  let to: number | null = null
  let known = 0
  const judged = conditions.filter(({ kind }) => kind !== 'cycle')
  steps.forEach(({ state, hosts }, step) => {
    const now = (step + 1) * stepMs
    const sample = {
      ...{ host, state: state ?? {}, lastActive: state ? now : null },
      hosts: (metric: string) => hosts?.get(metric) ?? null,
    }
    const verdicts = alone.map(({ of, memory }) => judgeAlone(of, memory, { sample, now }))
    const failing = verdicts.filter((verdict) => verdict === 'failing').length
    for (const [index, verdict] of verdicts.entries()) {
      if (failing - Number(verdict === 'failing') === verdicts.length - 1) fired[index] = true
    }
    if (failing === verdicts.length) {
      from ??= step
      to = null
    } else if (from !== null && verdicts.includes('passing')) to ??= step
    points.push(valueIn(conditions[0], sample))
    known += Number(judged.length > 0 && judged.every((one) => one.kind === 'offline' || valueIn(one, sample) !== null))
  })
  return {
    fired: from === null ? null : { from, to },
    without: conditions.length > 1 ? fired : [],
    points,
    known,
    hasData: known > 0 && steps.some(({ state }) => state !== null),
  }
}

function judgeAlone(
  conditions: readonly Condition[],
  memory: Memory,
  { sample, now }: { sample: Parameters<typeof judge>[2]; now: number },
) {
  return judge(conditions, memory, sample, { now, transferred: () => null })
}

const valueIn = (condition: Condition | undefined, sample: Sample) =>
  condition?.kind === 'normal' && sample.lastActive !== null ? condition.read(sample) : null

const sources: Readonly<Partial<Record<RuleMetric, readonly SampledMetric[]>>> = {
  cpu: ['cpu'],
  memory: ['memory'],
  swap: ['swap'],
  disk: ['disk'],
  load1: ['load1'],
  load5: ['load5'],
  load15: ['load15'],
  net_in_speed: ['net_in_speed'],
  net_out_speed: ['net_out_speed'],
  net_all_speed: ['net_in_speed', 'net_out_speed'],
  transfer_in: ['net_in_transfer'],
  transfer_out: ['net_out_transfer'],
  transfer_all: ['net_in_transfer', 'net_out_transfer'],
  tcp_conn_count: ['tcp_conn'],
  udp_conn_count: ['udp_conn'],
  process_count: ['process_count'],
  gpu_max: ['gpu'],
  temperature_max: ['temperature'],
}

/** The history that conditions need. CPU, which every host has, tells when it reported. */
export function metricsOf(conditions: readonly Condition[]): readonly string[] {
  const named = conditions.flatMap(({ type }): readonly string[] => {
    if (kindOfMetric(type) !== null) return [type]
    const metric = metricOf(type)
    return (metric && sources[metric]) ?? []
  })
  return [...new Set(['cpu', ...named])]
}

const fields: Readonly<Record<SampledMetric, (value: number) => HostState>> = {
  cpu: (cpu) => ({ cpu }),
  gpu: (value) => ({ gpu: [value] }),
  memory: (mem_used) => ({ mem_used }),
  swap: (swap_used) => ({ swap_used }),
  disk: (disk_used) => ({ disk_used }),
  net_in_speed: (net_in_speed) => ({ net_in_speed }),
  net_out_speed: (net_out_speed) => ({ net_out_speed }),
  net_in_transfer: (net_in_transfer) => ({ net_in_transfer }),
  net_out_transfer: (net_out_transfer) => ({ net_out_transfer }),
  uptime: (uptime) => ({ uptime }),
  load1: (load_1) => ({ load_1 }),
  load5: (load_5) => ({ load_5 }),
  load15: (load_15) => ({ load_15 }),
  tcp_conn: (tcp_conn_count) => ({ tcp_conn_count }),
  udp_conn: (udp_conn_count) => ({ udp_conn_count }),
  process_count: (process_count) => ({ process_count }),
  temperature: (Temperature) => ({ temperatures: [{ Name: '', Temperature }] }),
}

export function addFigure(state: HostState | null, metric: SampledMetric, mean: number): HostState {
  return { ...state, ...fields[metric](mean) }
}
