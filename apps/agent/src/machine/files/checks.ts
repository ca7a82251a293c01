import type { FileStatus, MachineFiles, OpenedFile } from './machine-files.ts'
import { codeOf, Refusal } from './words.ts'

interface Source {
  /** Actual size, even if the system reports another. */
  readonly size: number
  read(position: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** Smaller files are read to their end, because sizes in /proc and /sys are wrong. */
const maxToldBytes = 64 * 1024
/** Limit for those: they are held in memory. */
const maxUntoldBytes = 16 * 1024 * 1024
const portion = 1024 * 1024

/** Errors: `Refusal` for devices and others without content; opening a device may have effects. */
export const demandContent = ({ kind, special }: FileStatus): void => {
  if (kind === 'special') throw new Refusal(`is a ${special ?? 'special file'}`)
}

/** Errors: `Refusal` for endless files. */
const readToEnd = async (file: OpenedFile): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await file.read(size, portion).catch((error) => {
      // End of the kernel log for now.
      if (codeOf(error) === 'EAGAIN' && size > 0) return new Uint8Array()
      throw error
    })
    parts.push(part)
    size += part.length
    if (part.length === 0) return Buffer.concat(parts)
    if (size > maxUntoldBytes) throw new Refusal(`has no size and doesn’t end within ${maxUntoldBytes / 2 ** 20} MiB`)
  }
}

/** Errors: `Refusal` for pipes, sockets and devices, `EISDIR`, the system’s. */
export const openSource = async (files: MachineFiles, path: string): Promise<Source> => {
  demandContent(await files.status(path, { follow: true }))
  const file = await files.open(path, 'read')
  try {
    const status = await file.status()
    demandContent(status)
    if (status.kind === 'dir') throw Object.assign(new Error(), { code: 'EISDIR' })
    if (status.size > maxToldBytes) return { size: status.size, read: file.read, close: file.close }
    const content = await readToEnd(file)
    return {
      size: content.length,
      read: async (position, length) => content.subarray(position, position + length),
      close: file.close,
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

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
