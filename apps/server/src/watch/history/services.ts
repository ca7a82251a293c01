import type { ServicePoint } from './history.ts'
import type { Step } from './steps.ts'

interface Open {
  up: number
  down: number
  sum: number
  min: number
  max: number
  last: number
}

/** Per row of `OpenResults`: service, server, successes, failures; sum, min, max and last delay of successes. */
const width = 8

export type OpenResults = Float64Array

export function createResultGatherer() {
  let services = new Map<number, Map<number, Open>>()

  function openOf({ serviceId, serverId }: ServicePoint): Open {
    const reporters = services.get(serviceId) ?? new Map<number, Open>()
    services.set(serviceId, reporters)
    const known = reporters.get(serverId)
    if (known) return known
    const open = { up: 0, down: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, last: 0 }
    reporters.set(serverId, open)
    return open
  }

  return {
    add(point: ServicePoint): void {
      const open = openOf(point)
      if (!point.ok) {
        open.down += 1
        return
      }
      const delay = point.delay ?? 0
      open.up += 1
      open.sum += delay
      open.min = Math.min(open.min, delay)
      open.max = Math.max(open.max, delay)
      open.last = delay
    },
    stepsOf: (serviceId: number, at: number) =>
      [...(services.get(serviceId) ?? [])].map(([serverId, open]) => ({ serverId, step: toStep(open, at) })),
    isEmpty: () => services.size === 0,
    take(): OpenResults {
      const count = [...services.values()].reduce((sum, reporters) => sum + reporters.size, 0)
      const rows = new Float64Array(count * width)
      let at = 0
      for (const [service, reporters] of services)
        for (const [server, { up, down, sum, min, max, last }] of reporters) {
          rows.set([service, server, up, down, sum, min, max, last], at)
          at += width
        }
      services = new Map()
      return rows
    },
  }
}

function toStep({ up, down, sum, min, max, last }: Open, at: number): Step {
  return { at, n: up, down, figures: [up === 0 ? null : [sum / up, min, max, last]] }
}

export function toSteps(rows: OpenResults, at: number): { serviceId: number; serverId: number; step: Step }[] {
  return Array.from({ length: rows.length / width }, (_, row) => {
    const value = (column: number) => rows[row * width + column]!
    const open = { up: value(2), down: value(3), sum: value(4), min: value(5), max: value(6), last: value(7) }
    return { serviceId: value(0), serverId: value(1), step: toStep(open, at) }
  })
}
