import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@qd/core/errors'
import type { FileSink, FileSource } from '@qd/core/files'

/** Null if nothing is there. `device`: no content of its own, such as a socket. */
export const localKind = (path: string): Promise<'file' | 'folder' | 'device' | null> =>
  stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : found.isFile() || found.isFIFO() ? 'file' : 'device'),
    () => null,
  )

/** Passes on a file of known size. A pipe (`<(command)`) or a kernel file of size 0 is copied first. */
export async function withSize<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result> {
  const found = await said(stat(path))
  if (found.isFile() && found.size > 0) return work(path)
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, 'content')
    await said(pipeline(createReadStream(path), createWriteStream(copy)))
    return work(copy)
  })
}

export async function openSource(path: string): Promise<FileSource & { close(): Promise<void> }> {
  const file = await said(open(path, 'r'))
  const { size } = await file.stat()
  return {
    size,
    async read(offset, length) {
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await said(file.read(bytes, 0, length, offset))
      return bytes.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

export const localNames = async (path: string): Promise<readonly string[]> => (await said(readdir(path))).toSorted()

/** A local file that is replaced when complete. Errors: `failed` with the system’s text. `resume` continues an earlier try. */
export async function openTarget(path: string, resume: boolean) {
  const part = `${path}.qd-part`
  const file: FileHandle = await said(open(part, resume ? 'a+' : 'w'))
  const offset = resume ? (await file.stat()).size : 0
  const sink: FileSink = {
    async write(bytes) {
      // Unlike `write`, writes all bytes.
      await said(file.writeFile(bytes))
    },
  }
  return {
    sink,
    offset,
    async finish() {
      await file.close()
      await said(rename(part, path))
    },
    /** Keeps partial data if it can be resumed. */
    async stop(keeps: boolean) {
      const { size } = await file.stat()
      await file.close()
      if (!keeps || size === 0) await rm(part, { force: true })
    },
  }
}

export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'qd-files-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Errors: `failed` with the system’s text. */
export async function said<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((cause: unknown) => {
    throw new AppError('failed', { text: (cause as Error).message }, { cause })
  })
}
