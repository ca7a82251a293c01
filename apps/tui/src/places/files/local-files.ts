import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '@qd/core/errors'
import type { LocalFile, LocalTree, OpenSink } from '@qd/core/files'
import type { Io } from '../../base/io.ts'

export function localPath({ cwd, home }: Pick<Io, 'cwd' | 'home'>, typed: string): string {
  const text = typed.trim()
  if (text === '~') return home
  if (text.startsWith('~/')) return join(home, text.slice(2))
  return isAbsolute(text) ? text : resolve(cwd, text)
}

export async function localKind(path: string): Promise<'folder' | 'file' | null> {
  const found = await stat(path).catch(() => null)
  return found === null ? null : found.isDirectory() ? 'folder' : 'file'
}

/** A download target, written beside its place until complete. Errors: `failed` with the system's text. */
export async function openLocalSink(path: string): Promise<OpenSink> {
  const part = `${path}.part`
  const file = await saying(open(part, 'w'))
  return {
    sink: {
      async write(bytes) {
        await saying(file.writeFile(bytes))
      },
    },
    async end(isWhole) {
      await file.close()
      if (isWhole) await saying(rename(part, path))
      else await rm(part, { force: true })
    },
  }
}

async function openLocalFile(path: string): Promise<LocalFile> {
  const { size } = await saying(stat(path))
  return {
    name: basename(path),
    size,
    async read(offset, length) {
      const file = await saying(open(path, 'r'))
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
}

export async function openLocalTree(path: string): Promise<LocalTree> {
  const files: LocalTree['files'][number][] = []
  const folders: string[][] = []
  const walk = async (at: string, folder: readonly string[]): Promise<void> => {
    const found = await saying(stat(at))
    if (found.isDirectory()) {
      const own = [...folder, basename(at)]
      folders.push(own)
      for (const name of (await saying(readdir(at))).toSorted()) await walk(join(at, name), own)
    } else if (found.isFile()) files.push({ file: await openLocalFile(at), folder })
  }
  await walk(path, [])
  return { files, folders }
}

export const makeLocalFolder = (path: string): Promise<unknown> => saying(mkdir(path, { recursive: true }))

async function saying<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (cause) {
    throw new AppError('failed', { text: cause instanceof Error ? cause.message : String(cause) }, { cause })
  }
}
