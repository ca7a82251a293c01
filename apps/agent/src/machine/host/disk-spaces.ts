import type { DiskSpace } from '../machine.ts'
import { late, within } from '../waiting.ts'
import { startAsking } from './programs.ts'

/** `zfs` answers within this many milliseconds, or it isn’t waited for: a pool whose disks are gone keeps it. */
const answerMs = 3_000

const parsePools = (output: string): Map<string, DiskSpace> => {
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
    if (output !== late) return parsePools(output)
    kill()
    return new Map()
  }
}

/** What was found at each path; those that are not in it can’t be asked. */
type Spaces = Map<string, DiskSpace | 'silent'>

/** How the spaces of some paths are asked for: a program and its words, before the paths. It prints block size, blocks, free blocks and path. */
type Way = readonly [file: string, ...words: string[]]

const script =
  'for (const p of process.argv.slice(1)) try { const s = require("fs").statfsSync(p); console.log(s.bsize, s.blocks, s.bfree, p) } catch {}'

/** `stat` of GNU and BusyBox; where there is none, or another one, Node itself, which takes ten times the CPU. */
const ways = [
  ['stat', '-f', '-c', '%S %b %f %n', '--'],
  [process.execPath, '-e', script, '--'],
] as const satisfies readonly Way[]

/** Waiting times in milliseconds. */
export interface DiskTiming {
  /** After this time some paths that were asked together are asked again in smaller parts. */
  partMs: number
  /** After this time a path that was asked alone doesn’t respond. */
  silentMs: number
}

/** So many children may wait for paths that don’t respond; more such paths are not asked. */
const maxOwed = 64
/** So many paths, or fewer, are asked one by one at once where they didn’t answer together. */
const fewPaths = 8

/** Runs one child for some paths. */
const start = ([file, ...words]: Way, paths: readonly string[]) => startAsking(file, [...words, ...paths])

const parseLine = (line: string): [string, DiskSpace] | undefined => {
  const [, size, blocks, free, path] = /^(\d+) (\d+) (\d+) (.*)$/s.exec(line) ?? []
  const [totalBytes, freeBytes] = [Number(size) * Number(blocks), Number(size) * Number(free)]
  // A file system that reports more free than it has says nothing.
  if (path === undefined || !Number.isSafeInteger(totalBytes) || freeBytes > totalBytes) return undefined
  return [path, { totalBytes, usedBytes: totalBytes - freeBytes }]
}

const parse = (output: string, paths: readonly string[]): Spaces =>
  // The path of a single answer may hold line ends.
  new Map(
    (paths.length === 1 ? [output.replace(/\n$/, '')] : output.split('\n')).flatMap((line) => {
      const found = parseLine(line)
      return found ? [found] : []
    }),
  )

/**
 * Asks for the space of file systems in children of this process, because a call that a dead file system keeps can’t be taken back: it
 * would hold a thread of this process, or its end. All paths go to one child. If that is late, they are divided until each that doesn’t
 * respond is alone; its child is left to wait, and while it waits the path is not asked again. See `Machine.diskSpaces`.
 */
export const createDiskSpaces = ({ partMs, silentMs }: DiskTiming) => {
  const owed = new Set<string>()

  /** Finds out once which way works here. */
  const findWay = async (): Promise<Way> => {
    const output = await within(partMs, start(ways[0], ['/']).ended).catch(() => '')
    return output === late || parse(output, ['/']).size > 0 ? ways[0] : ways[1]
  }
  let way: Promise<Way> | undefined

  /** Errors: rejects if the child itself failed, which says nothing about the paths. */
  const ask = async (paths: readonly string[]): Promise<Spaces> => {
    if (paths.length === 0) return new Map()
    const [first] = paths
    const isAlone = paths.length === 1
    if (isAlone && owed.size >= maxOwed) return new Map([[first!, 'silent']])
    way ??= findWay()
    const { ended, kill } = start(await way, paths)
    const output = await within(isAlone ? silentMs : partMs, ended)
    if (output !== late) return parse(output, paths)
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
