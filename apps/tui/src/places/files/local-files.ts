import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import type { LocalFile, LocalTree, OpenSink } from '@qd/core/files'
import type { Io } from '../../base/io.ts'
import { localNames, said } from '../../cli/commands/files/local.ts'

export function localPath({ cwd, home }: Pick<Io, 'cwd' | 'home'>, typed: string): string {
  const text = typed.trim()
  if (text === '~') return home
  if (text.startsWith('~/')) return join(home, text.slice(2))
  return isAbsolute(text) ? text : resolve(cwd, text)
}

/** A download target, written beside its place until complete. Errors: `failed` with the system's text. */
export async function openLocalSink(path: string): Promise<OpenSink> {
  const part = `${path}.part`
  const file = await said(open(part, 'w'))
  return {
    sink: {
      async write(bytes) {
        await said(file.writeFile(bytes))
      },
    },
    async end(isWhole) {
      await file.close()
      if (isWhole) await said(rename(part, path))
      else await rm(part, { force: true })
    },
  }
}

async function openLocalFile(path: string): Promise<LocalFile> {
  const { size } = await said(stat(path))
  return {
    name: basename(path),
    size,
    async read(offset, length) {
      const file = await said(open(path, 'r'))
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
    const found = await said(stat(at))
    if (found.isDirectory()) {
      const own = [...folder, basename(at)]
      folders.push(own)
      for (const name of await localNames(at)) await walk(join(at, name), own)
    } else if (found.isFile()) files.push({ file: await openLocalFile(at), folder })
  }
  await walk(path, [])
  return { files, folders }
}

export const makeLocalFolder = (path: string): Promise<unknown> => said(mkdir(path, { recursive: true }))
