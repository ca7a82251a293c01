import type { DiskSpace } from '../machine.ts'
import { timedOut, within } from '../waiting.ts'
import { startAsking } from './programs.ts'

/** Maximum wait for `zfs`, which hangs if a pool’s disks are gone. */
const answerMs = 3_000

const parsePools = (output: string): Map<string, DiskSpace> => {
  const pools = new Map<string, DiskSpace>()
  for (const [, name, used, free] of output.matchAll(/^(\S+)\t(\d+)\t(\d+)$/gm)) {
    const [usedBytes, freeBytes] = [Number(used), Number(free)]
    pools.set(name!, { totalBytes: usedBytes + freeBytes, usedBytes })
  }
  return pools
}

/** Includes snapshots and volumes, which mounts don’t show. Empty without `zfs` or while an earlier call hangs. See `Machine.poolSpaces`. */
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
    if (output !== timedOut) return parsePools(output)
    kill()
    return new Map()
  }
}

type Spaces = Map<string, DiskSpace | 'silent'>

/** Program and arguments before the paths. Prints block size, blocks, free blocks, path. */
type Way = readonly [file: string, ...words: string[]]

const script =
  'for (const p of process.argv.slice(1)) try { const s = require("fs").statfsSync(p); console.log(s.bsize, s.blocks, s.bfree, p) } catch {}'

/** `stat` of GNU or BusyBox; else Node, at ten times the CPU. */
const ways = [
  ['stat', '-f', '-c', '%S %b %f %n', '--'],
  [process.execPath, '-e', script, '--'],
] as const satisfies readonly Way[]

export interface DiskTiming {
  /** Then grouped paths are divided. */
  partMs: number
  /** Then a single path counts as silent. */
  silentMs: number
}

const maxOwed = 64
/** Groups of this size are divided into single paths. */
const fewPaths = 8

const start = ([file, ...words]: Way, paths: readonly string[]) => startAsking(file, [...words, ...paths])

const parseLine = (line: string): [string, DiskSpace] | undefined => {
  const [, size, blocks, free, path] = /^(\d+) (\d+) (\d+) (.*)$/s.exec(line) ?? []
  const [totalBytes, freeBytes] = [Number(size) * Number(blocks), Number(size) * Number(free)]
  // More free space than total is implausible.
  if (path === undefined || !Number.isSafeInteger(totalBytes) || freeBytes > totalBytes) return undefined
  return [path, { totalBytes, usedBytes: totalBytes - freeBytes }]
}

const parse = (output: string, paths: readonly string[]): Spaces =>
  new Map(
    (paths.length === 1 ? [output.replace(/\n$/, '')] : output.split('\n')).flatMap((line) => {
      const found = parseLine(line)
      return found ? [found] : []
    }),
  )

/** Asks in child processes, because a call to a dead file system can’t be canceled and would block a thread or the exit. A late group is divided until each silent path is alone; it isn’t asked again while its child waits. See `Machine.diskSpaces`. */
export const createDiskSpaces = ({ partMs, silentMs }: DiskTiming) => {
  const owed = new Set<string>()

  const findWay = async (): Promise<Way> => {
    const output = await within(partMs, start(ways[0], ['/']).ended).catch(() => '')
    return output === timedOut || parse(output, ['/']).size > 0 ? ways[0] : ways[1]
  }
  let way: Promise<Way> | undefined

  /** Rejects if the child itself fails. */
  const ask = async (paths: readonly string[]): Promise<Spaces> => {
    if (paths.length === 0) return new Map()
    const [first] = paths
    const isAlone = paths.length === 1
    if (isAlone && owed.size >= maxOwed) return new Map([[first!, 'silent']])
    way ??= findWay()
    const { ended, kill } = start(await way, paths)
    const output = await within(isAlone ? silentMs : partMs, ended)
    if (output !== timedOut) return parse(output, paths)
    if (isAlone) {
      owed.add(first!)
      void ended.catch(() => undefined).then(() => owed.delete(first!))
      return new Map([[first!, 'silent']])
    }
    kill()
    const size = paths.length <= fewPaths ? 1 : Math.ceil(paths.length / 2)
    const parts = Array.from({ length: Math.ceil(paths.length / size) }, (_, n) =>
      paths.slice(n * size, (n + 1) * size),
    )
    return new Map((await Promise.all(parts.map(ask))).flatMap((part) => [...part]))
  }

  return async (paths: readonly string[]): Promise<Spaces> => {
    const isOwed = [...new Set(paths)].filter((path) => owed.has(path))
    const spaces = await ask([...new Set(paths)].filter((path) => !isOwed.includes(path)))
    for (const path of isOwed) spaces.set(path, 'silent')
    return spaces
  }
}
