import { spawn } from 'node:child_process'
import type { DiskSpace } from '../machine.ts'
import { ownEnvironment } from './environment.ts'
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
    isOwed = true
    const child = spawn('zfs', ['list', '-Hp', '-d', '0', '-o', 'name,used,available', ...names], {
      env: ownEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const ended = new Promise<void>((resolve) => {
      const end = () => {
        isOwed = false
        resolve()
      }
      child.on('error', end).on('close', end)
    })
    if ((await within(answerMs, ended)) !== late) return parse(output)
    child.kill('SIGKILL')
    return new Map()
  }
}
