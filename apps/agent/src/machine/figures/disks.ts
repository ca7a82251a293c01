import { calmSystems, pseudoSystems } from '@qd/protocol/file-systems'
import type { DiskSpace, Machine } from '../machine.ts'

interface Mount {
  /** A device, a ZFS data set or a remote export. */
  source: string
  path: string
  type: string
  /** The kernel’s number, such as `8:1`, the same for every mount of a file system. */
  device: string | undefined
}

/** Blanks, line ends and backslashes are octal. */
const fromOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

const parseDevices = (mountinfo: string): ReadonlyMap<string, string> => {
  const devices = new Map<string, string>()
  for (const [, device, path, type] of mountinfo.matchAll(/^\d+ \d+ (\d+:\d+) \S+ (\S+) .*? - (\S+) /gm))
    devices.set(`${fromOctal(path!)} ${type}`, device!)
  return devices
}

/** The last mount at a path hides the others. `mounts`: /proc/self/mounts. */
export const parseMounts = (mounts: string, mountinfo = ''): Mount[] => {
  const devices = parseDevices(mountinfo)
  const visible = new Map<string, Mount>()
  for (const line of mounts.split('\n')) {
    const [source, at, type] = line.split(' ')
    if (!source || !at || !type) continue
    const path = fromOctal(at)
    visible.delete(path)
    visible.set(path, { source: fromOctal(source), path, type, device: devices.get(`${path} ${type}`) })
  }
  return [...visible.values()]
}

/** Links aren’t followed. */
const mountOf = (mounts: readonly Mount[], path: string): Mount | undefined => {
  let found: Mount | undefined
  for (const mount of mounts) {
    const isAbove = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`)
    if (isAbove && mount.path.length >= (found?.path.length ?? 0)) found = mount
  }
  return found
}

const readMounts = async (machine: Pick<Machine, 'read'>): Promise<Mount[]> => {
  const [mounts, mountinfo] = await Promise.all([
    machine.read('/proc/self/mounts'),
    machine.read('/proc/self/mountinfo'),
  ])
  return parseMounts(mounts, mountinfo)
}

/** File systems that the kernel alone answers for. Others may wait for a host or a program, or hang. */
export const calmTypes: ReadonlySet<string> = new Set([...calmSystems, ...pseudoSystems])

/** Local file systems, as opposed to network and memory ones. */
const localTypes = new Set(
  'bcachefs btrfs exfat ext2 ext3 ext4 f2fs fuseblk hfsplus jffs2 jfs nilfs2 ntfs ntfs3 reiserfs ubifs vfat xfs zfs'.split(
    ' ',
  ),
)

export interface Disks extends DiskSpace {
  /** Paths that don’t respond; not in the sums. */
  silent: readonly string[]
}

/** Counts once: a device, or all data sets of a ZFS pool, which share free space. */
interface Volume {
  pool: string | undefined
  paths: string[]
}

const poolOf = (mount: Mount | undefined): string | undefined =>
  mount?.type === 'zfs' ? mount.source.split('/')[0] : undefined

/** Bind mounts, subvolumes and two paths of a device are one volume. */
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

/** The configured paths, else all local disks, else the root (containers). */
export const findVolumes = (mounts: readonly Mount[], allowed: readonly string[] = []): Volume[] => {
  if (allowed.length > 0) return toVolumes(allowed.map((path) => ({ path, mount: mountOf(mounts, path) })))
  const local = mounts.filter(({ type }) => localTypes.has(type)).map((mount) => ({ path: mount.path, mount }))
  return toVolumes(local.length > 0 ? local : [{ path: '/', mount: mountOf(mounts, '/') }])
}

/** A pool’s size is its data sets’ usage plus the free space, which quotas may limit. */
const sumOf = (parts: readonly DiskSpace[]): DiskSpace => {
  const usedBytes = parts.reduce((sum, part) => sum + part.usedBytes, 0)
  return { totalBytes: usedBytes + Math.max(0, ...parts.map((part) => part.totalBytes - part.usedBytes)), usedBytes }
}

export const readDisks = async (
  machine: Pick<Machine, 'read' | 'diskSpaces' | 'poolSpaces'>,
  allowed: readonly string[] = [],
): Promise<Disks> => {
  const volumes = findVolumes(await readMounts(machine), allowed)
  // Configured data sets don’t mean their whole pool.
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
    // A partial pool would be too small.
    const space = whole ?? (pool !== undefined && silent.length === 0 ? sumOf(parts) : undefined)
    disks.totalBytes += space?.totalBytes ?? 0
    disks.usedBytes += space?.usedBytes ?? 0
  }
  return disks
}
