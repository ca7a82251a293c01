import type { DiskSpace, Machine } from '../machine.ts'

/** File systems that hold data on the machine's own disks; network and memory file systems do not count. */
const localTypes = new Set(
  'bcachefs btrfs exfat ext2 ext3 ext4 f2fs fuseblk jfs ntfs ntfs3 reiserfs vfat xfs zfs'.split(' '),
)

/** The first mount point of each disk; a device mounted twice (bind mounts, btrfs subvolumes) counts once. */
export const parseDiskMounts = (mounts: string): string[] => {
  const first = new Map<string, string>()
  for (const line of mounts.split('\n')) {
    const [device, path, type] = line.split(' ')
    if (!device || !path || !type || !localTypes.has(type)) continue
    // The data sets of one zfs pool share its space.
    const disk = type === 'zfs' ? device.split('/')[0]! : device
    if (!first.has(disk))
      first.set(
        disk,
        path.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
      )
  }
  return [...first.values()]
}

/** Total and used room of the mount points to count, by default of all local disks, each once; the root file system where none is known (containers). */
export const readDisks = async (machine: Machine, allowed: readonly string[] = []): Promise<DiskSpace> => {
  const paths = allowed.length > 0 ? allowed : parseDiskMounts(await machine.read('/proc/self/mounts'))
  const spaces = await Promise.all((paths.length > 0 ? paths : ['/']).map((path) => machine.diskSpace(path)))
  const sum = (pick: (space: DiskSpace) => number) =>
    spaces.reduce((total, space) => total + (space ? pick(space) : 0), 0)
  return { totalBytes: sum((space) => space.totalBytes), usedBytes: sum((space) => space.usedBytes) }
}
