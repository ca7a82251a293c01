import { createHash } from 'node:crypto'
import { constants, readdirSync, readFileSync, type Stats } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { sep } from 'node:path'
import { fromPathBytes, toPathBytes } from '@qd/protocol/files'
import { isSingleFile } from '../../config/single-file.ts'
import { calmTypes, parseMounts } from '../figures/disks.ts'
import type { FileStatus, MachineFiles, OpenedFile, Opening, SpecialFile } from '../files/machine-files.ts'
import type { Machine } from '../machine.ts'
import type { Gate } from './gate.ts'

const mountsMs = 10_000
/** Maximum wait for a sensor or a FUSE file (lxcfs). */
const answerMs = 1_000

const orElse = async <T>(fallback: T, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch {
    return fallback
  }
}

/** Reads kernel files synchronously, others in a thread, because they may hang. */
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

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_NONBLOCK } = constants
/** A pipe without a writer must not block. */
const flags: Readonly<Record<Opening, number>> = {
  read: O_RDONLY | (O_NONBLOCK ?? 0),
  new: O_RDWR | O_CREAT | O_EXCL,
  keep: O_RDWR | O_CREAT,
  replace: O_RDWR | O_CREAT | O_TRUNC,
}

const toPath = (path: string): Buffer => Buffer.from(toPathBytes(path))

const specialOf = (stats: Stats): SpecialFile | undefined => {
  if (stats.isFIFO()) return 'named pipe (FIFO)'
  if (stats.isSocket()) return 'socket'
  if (stats.isCharacterDevice()) return 'character device'
  return stats.isBlockDevice() ? 'block device' : undefined
}

const toStatus = (stats: Stats): FileStatus => ({
  kind: stats.isDirectory() ? 'dir' : stats.isSymbolicLink() ? 'symlink' : stats.isFile() ? 'file' : 'special',
  special: specialOf(stats),
  size: stats.size,
  mode: stats.mode & 0o7777,
  modified: Math.floor(stats.mtimeMs / 1000),
})

/** A read may return less than requested. */
const readWhole = async (read: (into: Buffer, at: number) => Promise<number>, length: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const got = await read(bytes, done)
    if (got === 0) break
    done += got
  }
  return bytes.subarray(0, done)
}

const openFile = async (path: string, how: Opening, mode?: number): Promise<OpenedFile> => {
  const file = await open(toPath(path), flags[how], mode)
  return {
    status: async () => toStatus(await file.stat()),
    read: (position, length) =>
      readWhole(async (into, at) => (await file.read(into, at, length - at, position + at)).bytesRead, length),
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; )
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
    },
    setMode: (bits) => file.chmod(bits),
    cut: (size) => file.truncate(size),
    close: () => file.close(),
  }
}

const home = (): string | undefined => {
  try {
    return userInfo().homedir || homedir() || undefined
  } catch {
    return homedir() || undefined
  }
}

const entries = async (path: Buffer): Promise<Entry[]> => {
  const found = await readdir(path, { withFileTypes: true, encoding: 'buffer' })
  return found.map((entry) => ({ bytes: entry.name, isFolder: entry.isDirectory() }))
}

export const files: MachineFiles = {
  separator: sep,
  home,
  async names(path) {
    const named = await (isSingleFile ? entriesOnBun : entries)(toPath(path))
    named.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    return named.map(({ bytes, isFolder }) => ({ name: fromPathBytes(bytes), isFolder }))
  },
  status: async (path, { follow } = { follow: false }) => toStatus(await (follow ? stat : lstat)(toPath(path))),
  linkTarget: async (path) => fromPathBytes(await readlink(toPath(path), 'buffer')),
  realPath: async (path) => fromPathBytes(await realpath(toPath(path), 'buffer')),
  open: openFile,
  makeFolder: async (path) => void (await mkdir(toPath(path))),
  rename: (from, to) => rename(toPath(from), toPath(to)),
  remove: (path, isFolder) => (isFolder ? rmdir : unlink)(toPath(path)),
  checksum() {
    const hash = createHash('sha256')
    return { add: (bytes) => void hash.update(bytes), bytes: () => hash.digest() }
  },
}

interface Entry {
  bytes: Buffer
  isFolder: boolean
}

/** Replaces invalid UTF-8. */
const replacement = '\ufffd'

/** Bun returns kinds only with names as text. Ambiguous entries are examined in order: all at once could exhaust memory and threads. */
export const entriesOnBun = async (
  path: Buffer,
  files: { readdir: typeof readdir; lstat(path: Buffer): Promise<{ isDirectory(): boolean }> } = { readdir, lstat },
): Promise<Entry[]> => {
  const kinds = new Map<string, boolean>()
  for (const entry of await files.readdir(path, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()) kinds.set(entry.name, entry.isDirectory())
  const found: Entry[] = []
  for (const bytes of await files.readdir(path, 'buffer')) {
    const name = bytes.toString()
    const known = name.includes(replacement) ? undefined : kinds.get(name)
    found.push({ bytes, isFolder: known ?? (await isFolder(bytes)) })
  }
  return found

  async function isFolder(bytes: Buffer): Promise<boolean> {
    try {
      const stats = await files.lstat(Buffer.concat([path, Buffer.from(sep), bytes]))
      return stats.isDirectory()
    } catch {
      return false
    }
  }
}
