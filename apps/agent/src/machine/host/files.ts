import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { sep } from 'node:path'
import { fromPathBytes, toPathBytes } from '@qd/protocol/files'
import type { FileStatus, MachineFiles, OpenedFile, Opening, SpecialFile } from '../files/machine-files.ts'

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_NONBLOCK } = constants
/** A pipe that nobody writes to must not hold the agent. */
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

/** Reads until there is enough, as a read may give less than it was asked for. */
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

/** The files of the machine this program runs on. */
export const files: MachineFiles = {
  separator: sep,
  home,
  async names(path) {
    const entries = await readdir(toPath(path), { withFileTypes: true, encoding: 'buffer' })
    const named = entries.map((entry) => ({ bytes: entry.name, isFolder: entry.isDirectory() }))
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
