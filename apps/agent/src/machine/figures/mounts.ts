import { calmSystems, pseudoSystems } from '@qd/protocol/file-systems'
import type { Machine } from '../machine.ts'

export interface Mount {
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
export const mountOf = (mounts: readonly Mount[], path: string): Mount | undefined => {
  let found: Mount | undefined
  for (const mount of mounts) {
    const isAbove = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`)
    if (isAbove && mount.path.length >= (found?.path.length ?? 0)) found = mount
  }
  return found
}

export const readMounts = async (machine: Pick<Machine, 'read'>): Promise<Mount[]> => {
  const [mounts, mountinfo] = await Promise.all([
    machine.read('/proc/self/mounts'),
    machine.read('/proc/self/mountinfo'),
  ])
  return parseMounts(mounts, mountinfo)
}

/** File systems that the kernel alone answers for. Others may wait for a host or a program, or hang. */
export const calmTypes: ReadonlySet<string> = new Set([...calmSystems, ...pseudoSystems])
