import type { FileStatus, MachineFiles } from './machine-files.ts'
import { openSource } from './source.ts'
import { Refusal } from './words.ts'

export const maxReadBytes = 1024 * 1024

export const demandPath = (path: unknown, { separator }: Pick<MachineFiles, 'separator'>): string => {
  if (typeof path !== 'string' || path === '') throw new Refusal('path required')
  const isAbsolute = separator === '/' ? path.startsWith('/') : /^([A-Za-z]:[\\/]|\\\\)/.test(path)
  if (!isAbsolute || path.includes('\0')) throw new Refusal('path must be absolute')
  if (separator === '\\' && path.slice(2).includes(':')) throw new Refusal('alternate data streams are not supported')
  return path
}

export const parseMode = (mode: string | undefined): number => {
  if (mode === undefined || mode === '') return 0o644
  if (!/^[0-7]{1,4}$/.test(mode)) throw new Refusal(`invalid mode: ${mode.slice(0, 20)}`)
  return Number.parseInt(mode, 8)
}

export const demandRegular = async (files: MachineFiles, path: string): Promise<FileStatus> => {
  const status = await files.status(path)
  const what = status.special ? `: it is a ${status.special}` : ''
  if (status.kind !== 'file') throw new Refusal(`path is not a regular file${what}`)
  return status
}

export const checksumOf = async (files: MachineFiles, path: string): Promise<{ size: number; sha256: string }> => {
  const file = await openSource(files, path)
  try {
    const hash = files.checksum()
    for (let size = 0; ; ) {
      const bytes = await file.read(size, maxReadBytes)
      if (bytes.length === 0) return { size, sha256: toHex(hash.bytes()) }
      hash.add(bytes)
      size += bytes.length
    }
  } finally {
    await file.close()
  }
}

/** Errors: `Refusal` if the file isn’t the one that was read. */
export const demandMatch = async (files: MachineFiles, path: string, wanted: string | undefined): Promise<void> => {
  if (!wanted) return
  const is = await checksumOf(files, path).catch(() => undefined)
  if (is === undefined) throw new Refusal('if_match precondition failed: file does not exist')
  if (is.sha256 !== wanted.toLowerCase()) throw new Refusal('if_match precondition failed: sha256 mismatch')
}

export const makeParents = async (files: MachineFiles, path: string): Promise<void> => {
  for (let at = path.indexOf(files.separator, 1); at > 0; at = path.indexOf(files.separator, at + 1)) {
    const folder = path.slice(0, at)
    const isThere = await files.status(folder, { follow: true }).catch(() => undefined)
    if (!isThere) await files.makeFolder(folder)
  }
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
