import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@qd/core/errors'
import type { FileSink, FileSource } from '@qd/core/files'

/** What a path of this machine is; null where nothing is. `device`: it has no content of its own, as a socket. */
export const localKind = (path: string): Promise<'file' | 'folder' | 'device' | null> =>
  stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : found.isFile() || found.isFIFO() ? 'file' : 'device'),
    () => null,
  )

/**
 * Hands on a file of this machine as one whose size is known. A pipe (`<(command)`), or a file of the kernel that says that it is empty, is
 * copied to its end first.
 */
export async function withSize<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result> {
  const found = await said(stat(path))
  if (found.isFile() && found.size > 0) return work(path)
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, 'content')
    await said(pipeline(createReadStream(path), createWriteStream(copy)))
    return work(copy)
  })
}

/** A file of this machine to be sent, with the SHA-256 of what was read, in hex. Errors: `failed` in the system's words. */
export async function openSource(
  path: string,
): Promise<FileSource & { sha256(): Promise<string>; close(): Promise<void> }> {
  const file = await said(open(path, 'r'))
  const { size } = await file.stat()
  return {
    size,
    async read(offset, length) {
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await said(file.read(bytes, 0, length, offset))
      return bytes.subarray(0, bytesRead)
    },
    sha256: () => sha256Of(path),
    close: () => file.close(),
  }
}

/** SHA-256 of a whole file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Names in a folder of this machine. */
export const localNames = async (path: string): Promise<readonly string[]> => (await said(readdir(path))).toSorted()

/** A file of this machine that is put in its place when all of it has come. With `resume` it goes on where an earlier try ended. */
export async function openTarget(path: string, resume: boolean) {
  const part = `${path}.qd-part`
  const file: FileHandle = await said(open(part, resume ? 'a+' : 'w'))
  const offset = resume ? (await file.stat()).size : 0
  const sink: FileSink = {
    async write(bytes) {
      // Unlike `write`, all of them, however few the disk takes at a time.
      await said(file.writeFile(bytes))
    },
  }
  return {
    sink,
    offset,
    async finish() {
      await file.close()
      await said(rename(part, path))
      return sha256Of(path)
    },
    /** What came stays where it can be gone on with. */
    async stop(keeps: boolean) {
      const { size } = await file.stat()
      await file.close()
      if (!keeps || size === 0) await rm(part, { force: true })
    },
  }
}

/** A folder that is gone again after the work, for what an editor or an input of unknown length needs. */
export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'qd-files-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function said<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((cause: unknown) => {
    throw new AppError('failed', { text: (cause as Error).message }, { cause })
  })
}
