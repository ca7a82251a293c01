import type { DiskSpace } from '../machine.ts'
import { startAsking } from './asked-program.ts'
import { late, within } from './within.ts'

/** `zfs` answers within this many milliseconds, or it isn’t waited for: a pool whose disks are gone keeps it. */
const answerMs = 3_000

const parse = (output: string): Map<string, DiskSpace> => {
  const pools = new Map<string, DiskSpace>()
  for (const [, name, used, free] of output.matchAll(/^(\S+)\t(\d+)\t(\d+)$/gm)) {
    const [usedBytes, freeBytes] = [Number(used), Number(free)]
    pools.set(name!, { totalBytes: usedBytes + freeBytes, usedBytes })
  }
  return pools
}

/**
 * Asks ZFS for its pools, with snapshots and volumes, which no mounted data set shows. Empty where there is no `zfs`, or it doesn’t answer;
 * while an earlier question waits, no further one is asked. See `Machine.poolSpaces`.
 */
export const createPoolSpaces = (): ((names: readonly string[]) => Promise<ReadonlyMap<string, DiskSpace>>) => {
  let isOwed = false
  return async (names) => {
    if (isOwed || names.length === 0) return new Map()
    const { ended, kill } = startAsking('zfs', ['list', '-Hp', '-d', '0', '-o', 'name,used,available', ...names])
    isOwed = true
    void ended
      .catch(() => undefined)
      .then(() => {
        isOwed = false
      })
    const output = await within(answerMs, ended).catch(() => '')
    if (output !== late) return parse(output)
    kill()
    return new Map()
  }
}
