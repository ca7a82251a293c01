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
  isPool: boolean
  /** Where to ask for its space: one path of a device, each data set of a pool. */
  paths: string[]
}

const keyOf = (mount: Mount): string => {
  if (mount.type === 'zfs') return `zfs ${mount.source.split('/')[0]}`
  return mount.device ?? `${mount.type} ${mount.source}`
}

/** Puts the places to count together by what they are on. Bind mounts, subvolumes and two paths of one device are one volume. */
const toVolumes = (places: readonly { path: string; mount: Mount | undefined }[]): Volume[] => {
  const volumes = new Map<string, Volume>()
  const asked = new Set<string>()
  for (const { path, mount } of places) {
    const key = mount ? keyOf(mount) : path
    const dataSet = mount?.type === 'zfs' ? `zfs ${mount.source}` : key
    if (asked.has(dataSet)) continue
    asked.add(dataSet)
    const volume = volumes.get(key)
    if (volume) volume.paths.push(path)
    else volumes.set(key, { isPool: mount?.type === 'zfs', paths: [path] })
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
const spaceOf = (parts: readonly DiskSpace[], isPool: boolean): DiskSpace => {
  if (!isPool) return parts[0] ?? { totalBytes: 0, usedBytes: 0 }
  const usedBytes = parts.reduce((sum, part) => sum + part.usedBytes, 0)
  return { totalBytes: usedBytes + Math.max(0, ...parts.map((part) => part.totalBytes - part.usedBytes)), usedBytes }
}

/** Total and used room of the disks to count, each once. */
export const readDisks = async (
  machine: Pick<Machine, 'read' | 'diskSpaces'>,
  allowed: readonly string[] = [],
): Promise<Disks> => {
  const volumes = findVolumes(await readMounts(machine), allowed)
  const answers = await machine.diskSpaces(volumes.flatMap(({ paths }) => paths))
  const disks = { totalBytes: 0, usedBytes: 0, silent: [] as string[] }
  for (const { paths, isPool } of volumes) {
    const parts: DiskSpace[] = []
    for (const path of paths) {
      const answer = answers.get(path)
      if (answer === 'silent') disks.silent.push(path)
      else if (answer) parts.push(answer)
    }
    // A part of a pool would be a figure that is too small.
    if (parts.length < paths.length && isPool && paths.some((path) => answers.get(path) === 'silent')) continue
    const space = spaceOf(parts, isPool)
    disks.totalBytes += space.totalBytes
    disks.usedBytes += space.usedBytes
  }
  return disks
}
