import { resolve } from 'node:path'
import { calmTypes, parseMounts } from '../figures/mounts.ts'
import type { MachineFiles, OpenedFile } from '../files/machine-files.ts'
import type { Machine } from '../machine.ts'
import { type Gate, noResponse } from './gate.ts'

/** What is asked before a path is touched, and what bounds the calls that touch it. */
export interface Guard {
  gate: Gate
  /** /proc/self/mounts, which never hangs. */
  readMounts(): string
  diskSpaces: Machine['diskSpaces']
  now(): number
}

/** After this many milliseconds a file doesn’t respond; a disk that has to start turning takes ten seconds. */
const answerMs = 20_000
/** A file system that responded is not asked again for this long. */
const trustMs = 2_000

/**
 * The same files, but a path on a file system that may hang (of another machine, or of a program) is touched only if the file system responds
 * to a question that a child of this process asks. Errors: `noResponse` besides those of the files.
 */
export const guardFiles = (files: MachineFiles, { gate, readMounts, diskSpaces, now }: Guard): MachineFiles => {
  const trusted = new Map<string, number>()
  let risky: { paths: string[]; at: number } | undefined

  const riskyMounts = (): string[] => {
    if (!risky || now() - risky.at > trustMs) {
      const mounts = parseMounts(readMounts()).filter(({ type }) => !calmTypes.has(type))
      risky = { paths: mounts.map(({ path }) => path), at: now() }
    }
    return risky.paths
  }
  const demandResponse = async (path: string): Promise<void> => {
    const whole = resolve(path)
    const asked = riskyMounts().filter(
      (mount) =>
        (whole === mount || whole.startsWith(mount === '/' ? mount : `${mount}/`)) &&
        now() - (trusted.get(mount) ?? Number.NEGATIVE_INFINITY) > trustMs,
    )
    if (asked.length === 0) return
    const answers = await diskSpaces(asked)
    for (const mount of asked) {
      if (answers.get(mount) === 'silent') throw noResponse()
      trusted.set(mount, now())
    }
  }
  const touch = async <T>(path: string, call: () => Promise<T>): Promise<T> => {
    if (gate.isOwed(path)) throw noResponse()
    await demandResponse(path)
    return gate.run(path, answerMs, call)
  }
  const guardOpened = (path: string, file: OpenedFile): OpenedFile => {
    const run = <T>(call: () => Promise<T>) => gate.run(path, answerMs, call)
    return {
      status: () => run(() => file.status()),
      read: (position, length) => run(() => file.read(position, length)),
      write: (bytes, position) => run(() => file.write(bytes, position)),
      setMode: (mode) => run(() => file.setMode(mode)),
      cut: (size) => run(() => file.cut(size)),
      // The system closes it when the late call is over; waiting for that would hold a place, and whoever closes.
      close: () =>
        gate.isOwed(path) ? Promise.resolve(void file.close().catch(() => undefined)) : run(() => file.close()),
    }
  }

  return {
    ...files,
    names: (path) => touch(path, () => files.names(path)),
    status: (path, options) => touch(path, () => files.status(path, options)),
    linkTarget: (path) => touch(path, () => files.linkTarget(path)),
    realPath: (path) => touch(path, () => files.realPath(path)),
    async open(path, how, mode) {
      let opening: Promise<OpenedFile> | undefined
      const open = () => {
        opening = files.open(path, how, mode)
        return opening
      }
      const file = await touch(path, open).catch((error) => {
        // It may be opened when nobody waits for it any more.
        opening?.then((late) => late.close()).catch(() => undefined)
        throw error
      })
      return guardOpened(path, file)
    },
    makeFolder: (path) => touch(path, () => files.makeFolder(path)),
    rename: async (from, to) => {
      await demandResponse(to)
      return touch(from, () => files.rename(from, to))
    },
    remove: (path, isFolder) => touch(path, () => files.remove(path, isFolder)),
  }
}
