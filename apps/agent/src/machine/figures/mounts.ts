import type { Machine } from '../machine.ts'

/** One mounted file system. */
export interface Mount {
  /** What is mounted: a device, a ZFS data set, an export of another machine. */
  source: string
  path: string
  type: string
  /** The kernel’s number of the file system, such as `8:1`. It is the same for every mount of one file system, whatever its source is called. */
  device: string | undefined
}

/** The kernel writes blanks, line ends and backslashes of a path as octal numbers. */
const fromOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

/** Number of the file system at each path and of each type, from /proc/self/mountinfo. */
const parseDevices = (mountinfo: string): ReadonlyMap<string, string> => {
  const devices = new Map<string, string>()
  for (const [, device, path, type] of mountinfo.matchAll(/^\d+ \d+ (\d+:\d+) \S+ (\S+) .*? - (\S+) /gm))
    devices.set(`${fromOctal(path!)} ${type}`, device!)
  return devices
}

/** The mounts that can be reached: of several at one path, the last hides the others. `mounts` is /proc/self/mounts. */
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

/** The mount that a path is on: that of its longest beginning. Links are not followed. */
export const mountOf = (mounts: readonly Mount[], path: string): Mount | undefined => {
  let found: Mount | undefined
  for (const mount of mounts) {
    const isAbove = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`)
    if (isAbove && mount.path.length >= (found?.path.length ?? 0)) found = mount
  }
  return found
}

/** Reads the mounts that this machine has now. */
export const readMounts = async (machine: Pick<Machine, 'read'>): Promise<Mount[]> => {
  const [mounts, mountinfo] = await Promise.all([
    machine.read('/proc/self/mounts'),
    machine.read('/proc/self/mountinfo'),
  ])
  return parseMounts(mounts, mountinfo)
}

/** Types of file systems that the kernel answers for by itself. Others may wait for another machine, for a program, or for ever. */
export const calmTypes: ReadonlySet<string> = new Set(
  [
    'bcachefs btrfs erofs exfat ext2 ext3 ext4 f2fs hfsplus iso9660 jffs2 jfs nilfs2 ntfs ntfs3 overlay reiserfs simfs squashfs ubifs udf vfat xfs',
    'binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs hugetlbfs mqueue nsfs proc pstore ramfs rootfs securityfs sysfs',
    'tmpfs tracefs',
  ]
    .join(' ')
    .split(' '),
)
