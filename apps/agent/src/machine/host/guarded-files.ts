import { dirname, resolve } from 'node:path'
import { calmTypes, parseMounts } from '../figures/disks.ts'
import type { MachineFiles, OpenedFile } from '../files/machine-files.ts'
import type { Machine } from '../machine.ts'
import { type Gate, noResponse } from './gate.ts'

export interface Guard {
  gate: Gate
  /** /proc/self/mounts never hangs. */
  readMounts(): string
  diskSpaces: Machine['diskSpaces']
  now(): number
}

/** A disk takes ten seconds to spin up. */
const answerMs = 20_000
/** How long mounts and folders are cached. */
const trustMs = 2_000
const maxLinks = 40

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)

const createMemory = <T>(now: () => number) => {
  let known = new Map<string, T>()
  let since = 0
  const fresh = () => {
    if (now() - since > trustMs) {
      known = new Map()
      since = now()
    }
    return known
  }
  return {
    get: (key: string) => fresh().get(key),
    set: (key: string, value: T) => void fresh().set(key, value),
  }
}

const createProbe = ({ files, gate, readMounts, diskSpaces, now }: Guard & { files: MachineFiles }) => {
  const mounts = createMemory<readonly string[]>(now)
  const responding = createMemory<true>(now)
  const folders = createMemory<true>(now)

  const riskyMounts = (): readonly string[] => {
    const known = mounts.get('')
    if (known) return known
    const found = parseMounts(readMounts()).flatMap(({ type, path }) => (calmTypes.has(type) ? [] : [path]))
    mounts.set('', found)
    return found
  }
  /** Asks the path’s mounts in a child process. Errors: `noResponse`. */
  const demandMounts = async (path: string): Promise<void> => {
    const asked = riskyMounts().filter((mount) => isWithin(path, mount) && !responding.get(mount))
    if (asked.length === 0) return
    const answers = await diskSpaces(asked)
    for (const mount of asked) {
      if (answers.get(mount) === 'silent') throw noResponse()
      responding.set(mount, true)
    }
  }
  /** Undefined if it is no link or unknown; the call itself will fail. */
  const linkAt = async (path: string): Promise<string | undefined> => {
    try {
      const { kind } = await gate.run(path, answerMs, () => files.status(path))
      return kind === 'symlink' ? await gate.run(path, answerMs, () => files.linkTarget(path)) : undefined
    } catch {
      return undefined
    }
  }
  /** Follows links step by step, and asks each mount first. Errors: `noResponse`. */
  const walk = async (path: string, links: number): Promise<void> => {
    const parts = path.split('/').filter(Boolean)
    for (let at = 1; at <= parts.length; at += 1) {
      const here = `/${parts.slice(0, at).join('/')}`
      await demandMounts(here)
      if (folders.get(here)) continue
      const target = await linkAt(here)
      if (target === undefined) folders.set(here, true)
      else {
        if (links < maxLinks) await walk(resolve(dirname(here), target, ...parts.slice(at)), links + 1)
        return
      }
    }
  }
  return async (path: string, isFollowed: boolean): Promise<void> => {
    const whole = resolve(path)
    await demandMounts(whole)
    // The kernel’s own mounts are on every host, and no other path leads there.
    if (riskyMounts().some((mount) => !/^\/(proc|sys)\//.test(mount)))
      await walk(isFollowed ? whole : dirname(whole), 0)
  }
}

/** Touches paths on remote or FUSE file systems only if these respond to a child process. Errors: also `noResponse`. */
export const guardFiles = (files: MachineFiles, guard: Guard): MachineFiles => {
  const { gate } = guard
  const demandResponse = createProbe({ ...guard, files })

  const touch = async <T>(path: string, call: () => Promise<T>, isFollowed = false): Promise<T> => {
    if (gate.isOwed(path)) throw noResponse()
    await demandResponse(path, isFollowed)
    return gate.run(path, answerMs, call)
  }
  const follow = <T>(path: string, call: () => Promise<T>): Promise<T> => touch(path, call, true)
  const guardOpened = (path: string, file: OpenedFile): OpenedFile => {
    const run = <T>(call: () => Promise<T>) => gate.run(path, answerMs, call)
    return {
      status: () => run(() => file.status()),
      read: (position, length) => run(() => file.read(position, length)),
      write: (bytes, position) => run(() => file.write(bytes, position)),
      setMode: (mode) => run(() => file.setMode(mode)),
      cut: (size) => run(() => file.cut(size)),
      async close() {
        if (!gate.isOwed(path)) return run(() => file.close())
        // The system closes it when the hung call returns.
        void file.close().catch(() => undefined)
      },
    }
  }

  return {
    ...files,
    names: (path) => follow(path, () => files.names(path)),
    status: (path, options) => touch(path, () => files.status(path, options), options?.follow),
    linkTarget: (path) => touch(path, () => files.linkTarget(path)),
    realPath: (path) => follow(path, () => files.realPath(path)),
    async open(path, how, mode) {
      let opening: Promise<OpenedFile> | undefined
      const open = () => {
        opening = files.open(path, how, mode)
        return opening
      }
      const file = await follow(path, open).catch((error) => {
        // It may open after the timeout.
        opening?.then((opened) => opened.close()).catch(() => undefined)
        throw error
      })
      return guardOpened(path, file)
    },
    makeFolder: (path) => touch(path, () => files.makeFolder(path)),
    async rename(from, to) {
      await demandResponse(to, false)
      return touch(from, () => files.rename(from, to))
    },
    remove: (path, isFolder) => touch(path, () => files.remove(path, isFolder)),
  }
}
