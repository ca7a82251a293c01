import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { calmTypes, parseMounts } from '../figures/mounts.ts'
import type { Machine } from '../machine.ts'
import type { Gate } from './gate.ts'

/** How often it is looked which files of /proc a program answers for. */
const mountsMs = 10_000
/** A sensor or a file that a program answers for (lxcfs) is unknown after this many milliseconds. */
const answerMs = 1_000

const orElse = async <T>(fallback: T, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch {
    return fallback
  }
}

/** Reads small files below `root`: those that the kernel keeps in memory at once, others in a thread, as they may be slow or hang. */
export const createReading = (root: string, gate: Gate): Pick<Machine, 'read' | 'list'> & { readMounts(): string } => {
  const readMounts = () => {
    try {
      return readFileSync(`${root}/proc/self/mounts`, 'utf8')
    } catch {
      return ''
    }
  }
  let slow: { mounts: string[]; at: number } | undefined
  const isFast = (path: string): boolean => {
    if (!slow || performance.now() - slow.at > mountsMs) {
      const mounts = parseMounts(readMounts()).flatMap(({ type, path: at }) => (calmTypes.has(type) ? [] : [at]))
      slow = { mounts, at: performance.now() }
    }
    return path.startsWith('/proc') && !slow.mounts.some((mount) => path === mount || path.startsWith(`${mount}/`))
  }
  return {
    readMounts,
    read: (path) =>
      orElse('', () =>
        isFast(path)
          ? readFileSync(`${root}${path}`, 'utf8')
          : gate.run(path, answerMs, () => readFile(`${root}${path}`, 'utf8')),
      ),
    list: (path) =>
      orElse<string[]>([], () =>
        isFast(path) ? readdirSync(`${root}${path}`) : gate.run(path, answerMs, () => readdir(`${root}${path}`)),
      ),
  }
}
