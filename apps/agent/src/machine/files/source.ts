import type { FileStatus, MachineFiles, OpenedFile } from './machine-files.ts'
import { codeOf, Refusal } from './words.ts'

export interface Source {
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
