import { type HostMetric, isMountSeries, type NamedMetric, namedMetricOf } from '../define/index.ts'
import { ContainerState, PackageManager, PackageState, UnitState } from './host-options.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const count = (rows: Rows, state: string) => rows.filter((row) => row.state === state).length

/** Read-only filesystems, such as the image of a system, are full by their nature. */
const fillable = (rows: Rows) => rows.filter((row) => row.read_only !== true)

function most(rows: Rows, field: string): number | null {
  const values = fillable(rows)
    .map((row) => row[field])
    .filter((value) => typeof value === 'number')
  return values.length === 0 ? null : Math.round(values.reduce((a, b) => Math.max(a, b)) * 10) / 10
}

/** Filesystems of a host whose use is kept. */
const maxMounts = 16

/** The largest filesystems, with the names of their history. Without those in memory, of which a host can have many. */
export const mountsOf = (rows: Rows): ReadonlyMap<Rows[number], string> =>
  new Map(
    fillable(rows)
      .flatMap((row) => {
        const series = `fs_used:${String(row.name)}`
        const isKept = typeof row.used === 'number' && row.type !== 'tmpfs' && isMountSeries(series)
        return isKept ? [[row, series] as const] : []
      })
      .sort(([a], [b]) => Number(b.size) - Number(a.size))
      .slice(0, maxMounts),
  )

/** The filesystem that is full first; null if that isn’t known of any. */
function filling(rows: Rows): Rows[number] | null {
  const known = fillable(rows).filter(({ full_in }) => typeof full_in === 'number')
  return known.reduce<Rows[number] | null>((a, b) => (a && Number(a.full_in) <= Number(b.full_in) ? a : b), null)
}

const says: readonly unknown[] = [PackageManager.apt, PackageManager.dnf]

const summaries: Readonly<Record<HostMetric, (rows: Rows) => number | null>> = {
  units_failed: (rows) => count(rows, UnitState.failed),
  containers_unhealthy: (rows) => count(rows, ContainerState.unhealthy),
  fs_used_max: (rows) => most(rows, 'used'),
  fs_inodes_max: (rows) => most(rows, 'inodes'),
  fs_full_in: (rows) => (filling(rows)?.full_in as number | undefined) ?? null,
  updates: (rows) => rows.length - count(rows, PackageState.reboot),
  // The others don't say which updates are for security, nor does dnf without advisories.
  updates_security: (rows) =>
    rows.every(({ manager, advisories }) => says.includes(manager) && advisories !== false)
      ? count(rows, PackageState.security)
      : null,
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

function fullest(rows: Rows): Rows[number] | null {
  const known = fillable(rows).filter(({ used }) => typeof used === 'number')
  return known.reduce<Rows[number] | null>((a, b) => (a && Number(a.used) >= Number(b.used) ? a : b), null)
}

/** The mount points that metrics of filesystems are about, by the name that a server’s record has for them. */
export function mountPointsOf(rows: Rows): Readonly<Record<'fullest' | 'filling', string | null>> {
  const nameOf = (row: Rows[number] | null) => row && String(row.name)
  return { fullest: nameOf(fullest(rows)), filling: nameOf(filling(rows)) }
}
