import { type Host, type HostState, isMeasured, type SampledMetric, sampledMetrics } from '@qd/core/schemas'
import type { Scales } from './codec.ts'
import type { Figure, Step } from './steps.ts'

/** In stored order. */
export const metricNames = Object.keys(sampledMetrics) as readonly SampledMetric[]

const scaleOf = { percent: 100, bytes: 1 / 1024, rate: 1, duration: 1, number: 100, celsius: 10 } as const

/** Stored precision, such as 0.01 % and 1 KiB. */
export const serverScales: Scales = metricNames.map((name) => scaleOf[sampledMetrics[name].unit])
/** Delay in ms, to a microsecond; a value of what runs on a host, to a thousandth. */
export const serviceScales: Scales = [1000]

const greatest = (values: readonly number[] | undefined) => (values?.length ? Math.max(...values) : Number.NaN)

/** Zeros are absent in a sample. NaN: not every host has the metric. */
const readers: Readonly<Record<SampledMetric, (state: HostState) => number>> = {
  cpu: ({ cpu = 0 }) => cpu,
  gpu: ({ gpu }) => greatest(gpu),
  memory: ({ mem_used = 0 }) => mem_used,
  swap: ({ swap_used = 0 }) => swap_used,
  disk: ({ disk_used = 0 }) => disk_used,
  net_in_speed: ({ net_in_speed = 0 }) => net_in_speed,
  net_out_speed: ({ net_out_speed = 0 }) => net_out_speed,
  net_in_transfer: ({ net_in_transfer = 0 }) => net_in_transfer,
  net_out_transfer: ({ net_out_transfer = 0 }) => net_out_transfer,
  uptime: ({ uptime = 0 }) => uptime,
  load1: ({ load_1 = 0 }) => load_1,
  load5: ({ load_5 = 0 }) => load_5,
  load15: ({ load_15 = 0 }) => load_15,
  tcp_conn: ({ tcp_conn_count = 0 }) => tcp_conn_count,
  udp_conn: ({ udp_conn_count = 0 }) => udp_conn_count,
  process_count: ({ process_count = 0 }) => process_count,
  temperature: ({ temperatures }) => greatest(temperatures?.map(({ Temperature }) => Temperature)),
}
const ordered = metricNames.map((name) => ({ name, read: readers[name] }))

/** Per metric of an open step: sum, min, max, last, count. */
const perMetric = 5
const width = ordered.length * perMetric

/** Samples of an open step: one row per server in an array with spare room, which transfers to a thread without a copy. */
export interface OpenFigures {
  ids: number[]
  numbers: Float64Array
}

export function createGatherer() {
  let rows = new Map<number, number>()
  let numbers = new Float64Array(width * 64)

  function rowOf(id: number): number {
    const known = rows.get(id)
    if (known !== undefined) return known
    const row = rows.size
    rows.set(id, row)
    if ((row + 1) * width > numbers.length) {
      const larger = new Float64Array(numbers.length * 2)
      larger.set(numbers)
      numbers = larger
    }
    for (let at = row * width; at < (row + 1) * width; at += perMetric) {
      numbers[at + 1] = Number.POSITIVE_INFINITY
      numbers[at + 2] = Number.NEGATIVE_INFINITY
    }
    return row
  }

  return {
    add(id: number, state: HostState, host: Pick<Host, 'unmeasured'> = {}): void {
      let at = rowOf(id) * width
      for (const { name, read } of ordered) {
        const value = read(state)
        if (Number.isFinite(value) && isMeasured(host, name)) {
          numbers[at]! += value
          if (value < numbers[at + 1]!) numbers[at + 1] = value
          if (value > numbers[at + 2]!) numbers[at + 2] = value
          numbers[at + 3] = value
          numbers[at + 4]! += 1
        }
        at += perMetric
      }
    },
    stepOf(id: number, at: number): Step | null {
      const row = rows.get(id)
      return row === undefined ? null : toStep(numbers, row, at)
    },
    isEmpty: () => rows.size === 0,
    take(): OpenFigures {
      const taken = { ids: [...rows.keys()], numbers }
      rows = new Map()
      numbers = new Float64Array(numbers.length)
      return taken
    },
  }
}

export function toStep(numbers: Float64Array, row: number, at: number): Step {
  let n = 0
  const figures = ordered.map((_, metric): Figure | null => {
    const start = row * width + metric * perMetric
    const count = numbers[start + 4]!
    n = Math.max(n, count)
    return count === 0 ? null : [numbers[start]! / count, numbers[start + 1]!, numbers[start + 2]!, numbers[start + 3]!]
  })
  return { at, n, down: 0, figures }
}
