import { type HostMetric, type NamedMetric, namedMetricOf } from '../define/index.ts'
import { ContainerState, PackageManager, PackageState, UnitState } from './host-options.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const count = (rows: Rows, state: string) => rows.filter((row) => row.state === state).length

/** Read-only filesystems, such as the image of a system, are full by their nature. */
export const fillable = (rows: Rows) => rows.filter((row) => row.read_only !== true)

function most(rows: Rows, field: string): number | null {
  const values = fillable(rows)
    .map((row) => row[field])
    .filter((value) => typeof value === 'number')
  return values.length === 0 ? null : Math.round(values.reduce((a, b) => Math.max(a, b)) * 10) / 10
}

const says: readonly unknown[] = [PackageManager.apt, PackageManager.dnf]

const summaries: Readonly<Record<HostMetric, (rows: Rows) => number | null>> = {
  units_failed: (rows) => count(rows, UnitState.failed),
  containers_unhealthy: (rows) => count(rows, ContainerState.unhealthy),
  fs_used_max: (rows) => most(rows, 'used'),
  fs_inodes_max: (rows) => most(rows, 'inodes'),
  updates: (rows) => rows.length - count(rows, PackageState.reboot),
  // The others don't say which updates are for security.
  updates_security: (rows) =>
    rows.every(({ manager }) => says.includes(manager)) ? count(rows, PackageState.security) : null,
  reboot_required: (rows) => Math.min(1, count(rows, PackageState.reboot)),
}

/** States in which a record does what it’s there for. */
const up: Readonly<Record<NamedMetric, readonly string[]>> = {
  unit_down: [UnitState.active, UnitState.reloading],
  container_down: [ContainerState.running, ContainerState.starting],
}

/** What a metric is by the records of its kind. Null if unknown: where a part couldn’t be read (`isWhole`), nothing found says nothing. */
export function summaryOf(metric: string, rows: Rows, isWhole: boolean): number | null {
  const named = namedMetricOf(metric)
  if (!named) {
    const value = summaries[metric as HostMetric](rows)
    return value === 0 && !isWhole ? null : value
  }
  const names = [named.name, `${named.name}.service`]
  const found = rows.filter(({ name }) => names.includes(String(name)))
  if (found.length === 0) return isWhole ? 1 : null
  return found.some(({ state }) => up[named.metric].includes(String(state))) ? 0 : 1
}

/** The mount point of the fullest filesystem; null without one. */
export function fullestOf(rows: Rows): string | null {
  let fullest: Rows[number] | null = null
  for (const row of fillable(rows))
    if (typeof row.used === 'number' && row.used > Number(fullest?.used ?? -1)) fullest = row
  return fullest && String(fullest.name)
}
