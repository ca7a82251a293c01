import type { FileStatus, MachineFiles, OpenedFile } from './machine-files.ts'
import { codeOf, Refusal } from './words.ts'

/** A file that is read. */
export interface Source {
  /** Bytes that there are, also where the system tells another number or none. */
  readonly size: number
  /** So many bytes from there on, fewer only at the end. Errors: rejects with the system's error. */
  read(position: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** A file that the system says is no larger is read to its end, for what the kernel makes up (/proc, /sys) has no size, or a wrong one. */
const maxToldBytes = 64 * 1024
/** Such a file ends within so many bytes, or it is refused: one answer of a download holds as much. */
const maxUntoldBytes = 16 * 1024 * 1024
const portion = 1024 * 1024

/** Refuses what has no content of its own. To open a device may do something to it. Errors: `Refusal`. */
export const demandContent = ({ kind, special }: FileStatus): void => {
  if (kind === 'special') throw new Refusal(`is a ${special ?? 'special file'}`)
}

/** All of a file without a size. Errors: `Refusal` if it doesn’t end, the system's. */
const readToEnd = async (file: OpenedFile): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await file.read(size, portion).catch((error) => {
      // What the kernel logs has an end for now.
      if (codeOf(error) === 'EAGAIN' && size > 0) return new Uint8Array()
      throw error
    })
    parts.push(part)
    size += part.length
    if (part.length === 0) return Buffer.concat(parts)
    if (size > maxUntoldBytes) throw new Refusal(`has no size and doesn’t end within ${maxUntoldBytes / 2 ** 20} MiB`)
  }
}

/** Opens a file to be read. Errors: `Refusal` for pipes, sockets and devices, `EISDIR`, the system's. */
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
