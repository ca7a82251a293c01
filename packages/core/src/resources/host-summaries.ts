import { type HostMetric, hostMetrics, isMountSeries, type NamedMetric, namedMetricOf } from '../define/index.ts'
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

/** 1 unless a record of the name is in one of these states, in which it does what it’s there for. */
const downUnless =
  (...up: readonly string[]) =>
  (found: Rows, isWhole: boolean): number | null => {
    if (found.length === 0) return isWhole ? 1 : null
    return found.some(({ state }) => up.includes(String(state))) ? 0 : 1
  }

/** What named metrics are by the records of that name. */
const named: Readonly<Record<NamedMetric, (found: Rows, isWhole: boolean) => number | null>> = {
  unit_down: downUnless(UnitState.active, UnitState.reloading),
  container_down: downUnless(ContainerState.running, ContainerState.starting),
  fs_used: ([row]) => (typeof row?.used === 'number' ? row.used : null),
}

/** What metrics are by the records of their kind; unknown ones are absent. Where a part couldn’t be read (`isWhole`), nothing found says nothing. */
export function summariesOf(metrics: Iterable<string>, rows: Rows, isWhole: boolean): Map<string, number> {
  let byName: ReadonlyMap<unknown, Rows> | null = null
  const recordsOf = (name: string) => {
    byName ??= namedRows(rows)
    return [name, `${name}.service`].flatMap((one) => byName?.get(one) ?? [])
  }
  const known = new Map<string, number>()
  for (const metric of metrics) {
    const one = namedMetricOf(metric)
    const value = one ? named[one.metric](recordsOf(one.name), isWhole) : summaryOf(metric as HostMetric, rows, isWhole)
    if (value !== null) known.set(metric, value)
  }
  return known
}

function namedRows(rows: Rows): ReadonlyMap<unknown, Rows> {
  const found = new Map<unknown, Rows[number][]>()
  for (const row of rows) {
    const same = found.get(row.name)
    if (same) same.push(row)
    else found.set(row.name, [row])
  }
  return found
}

function summaryOf(metric: HostMetric, rows: Rows, isWhole: boolean): number | null {
  const value = summaries[metric](rows)
  // A filesystem that is full now is known to be.
  return value === 0 && !isWhole && hostMetrics[metric].unit !== 'duration' ? null : value
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
