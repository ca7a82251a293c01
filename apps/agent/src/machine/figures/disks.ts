import type { DiskSpace, Machine } from '../machine.ts'
import { type Mount, mountOf, readMounts } from './mounts.ts'

/** File systems that hold data on the machine's own disks; network and memory file systems do not count. */
const localTypes = new Set(
  'bcachefs btrfs exfat ext2 ext3 ext4 f2fs fuseblk hfsplus jffs2 jfs nilfs2 ntfs ntfs3 reiserfs ubifs vfat xfs zfs'.split(
    ' ',
  ),
)

/** Space of the machine’s disks together. */
export interface Disks extends DiskSpace {
  /** The paths whose file systems don’t respond; their space is in neither sum. */
  silent: readonly string[]
}

/** What counts once: a device, or all data sets of one ZFS pool, which share what is free. */
interface Volume {
  /** The name of a pool. */
  pool: string | undefined
  /** Where to ask for its space: one path of a device, each data set of a pool. */
  paths: string[]
}

const poolOf = (mount: Mount | undefined): string | undefined =>
  mount?.type === 'zfs' ? mount.source.split('/')[0] : undefined

/** Puts the places to count together by what they are on. Bind mounts, subvolumes and two paths of one device are one volume. */
const toVolumes = (places: readonly { path: string; mount: Mount | undefined }[]): Volume[] => {
  const volumes = new Map<string, Volume>()
  const asked = new Set<string>()
  for (const { path, mount } of places) {
    const pool = poolOf(mount)
    const device = mount ? (mount.device ?? `${mount.type} ${mount.source}`) : path
    const key = pool === undefined ? device : `pool ${pool}`
    const part = pool === undefined ? key : `data set ${mount?.source}`
    if (asked.has(part)) continue
    asked.add(part)
    const volume = volumes.get(key)
    if (volume) volume.paths.push(path)
    else volumes.set(key, { pool, paths: [path] })
  }
  return [...volumes.values()]
}

/** The volumes to count: those of the paths that the settings name, else all local disks, else the root file system (containers). */
export const findVolumes = (mounts: readonly Mount[], allowed: readonly string[] = []): Volume[] => {
  if (allowed.length > 0) return toVolumes(allowed.map((path) => ({ path, mount: mountOf(mounts, path) })))
  const local = mounts.filter(({ type }) => localTypes.has(type)).map((mount) => ({ path: mount.path, mount }))
  return toVolumes(local.length > 0 ? local : [{ path: '/', mount: mountOf(mounts, '/') }])
}

/** A pool is as large as what its data sets hold and what is free, which each of them reports (less where it has a quota). */
const sumOf = (parts: readonly DiskSpace[]): DiskSpace => {
  const usedBytes = parts.reduce((sum, part) => sum + part.usedBytes, 0)
  return { totalBytes: usedBytes + Math.max(0, ...parts.map((part) => part.totalBytes - part.usedBytes)), usedBytes }
}

/** Total and used room of the disks to count, each once. */
export const readDisks = async (
  machine: Pick<Machine, 'read' | 'diskSpaces' | 'poolSpaces'>,
  allowed: readonly string[] = [],
): Promise<Disks> => {
  const volumes = findVolumes(await readMounts(machine), allowed)
  // Who names data sets means these, and not all of their pool.
  const names = allowed.length > 0 ? [] : volumes.flatMap(({ pool }) => pool ?? [])
  const [answers, pools] = await Promise.all([
    machine.diskSpaces(volumes.flatMap(({ paths }) => paths)),
    machine.poolSpaces(names),
  ])
  const disks = { totalBytes: 0, usedBytes: 0, silent: [] as string[] }
  for (const { paths, pool } of volumes) {
    const silent = paths.filter((path) => answers.get(path) === 'silent')
    disks.silent.push(...silent)
    const parts = paths.map((path) => answers.get(path)).filter((part): part is DiskSpace => typeof part === 'object')
    const whole = pool === undefined ? parts[0] : pools.get(pool)
    // A part of a pool would be a figure that is too small.
    const space = whole ?? (pool !== undefined && silent.length === 0 ? sumOf(parts) : undefined)
    disks.totalBytes += space?.totalBytes ?? 0
    disks.usedBytes += space?.usedBytes ?? 0
  }
  return disks
}
