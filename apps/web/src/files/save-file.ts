import { AppError } from '@qd/core/errors'
import { type OpenSink, safeFileName } from '@qd/core/files'
import type { DiskRequest } from './disk-worker.ts'

/** Bytes up to which a download is held in memory; larger ones go to disk while they come, where the browser can. */
const smallBytes = 32 * 1024 * 1024
/** Bytes of the largest file where the browser cannot. */
export const memoryBytes = 512 * 1024 * 1024
/** The browser reads what it saves after it was told to. */
const keptMs = 10 * 60_000
const folderName = 'downloads'

/** True where a download can be written to disk while it comes: the browser's own store needs a secure page. */
export const canStream = (): boolean => isSecureContext && typeof navigator.storage?.getDirectory === 'function'

/** A download that is handed to the browser as a file when all of it is there (behaviour W-25). Errors: `tooLarge` before its first byte, `browserFull`. */
export async function openDownload(name: string): Promise<OpenSink> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let disk: Disk | null = null
  return {
    sink: {
      async begin(size) {
        if (size <= smallBytes) return
        disk = canStream() ? await openDisk().catch(() => null) : null
        if (disk === null && size > memoryBytes) throw new AppError('tooLarge', { size, limit: memoryBytes })
      },
      async write(bytes) {
        // The session may use its buffer again.
        if (disk) await disk.write(bytes.slice())
        else pieces.push(bytes.slice())
      },
    },
    async end(isWhole) {
      const file = disk ? await disk.end(isWhole) : isWhole ? new Blob(pieces) : null
      if (file) save(file, safeFileName(name))
    },
  }
}

interface Disk {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** The file; null where it is thrown away. */
  end(isWhole: boolean): Promise<Blob | null>
}

async function openDisk(): Promise<Disk> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(folderName, { create: true })
  const own = crypto.randomUUID()
  const writer = startWriter()
  const forget = async () => {
    writer.stop()
    await folder.removeEntry(own).catch(() => undefined)
  }
  try {
    await writer.ask({ open: { folder: folderName, name: own } })
  } catch (thrown) {
    await forget()
    throw thrown
  }
  return {
    write: (bytes) => writer.ask({ bytes }, [bytes.buffer]),
    async end(isWhole) {
      if (!isWhole) {
        await writer.ask({ close: true }).catch(() => undefined)
        await forget()
        return null
      }
      await writer.ask({ close: true })
      writer.stop()
      setTimeout(forget, keptMs)
      return (await folder.getFileHandle(own)).getFile()
    },
  }
}

/** Starts the thread that writes to the browser's own store; it is asked one thing at a time. */
function startWriter() {
  const worker = new Worker(new URL('./disk-worker.ts', import.meta.url), { type: 'module' })
  return {
    ask: (request: DiskRequest, moved: Transferable[] = []): Promise<void> =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<string | null>) => {
          if (data === null) resolve()
          // A private window has a store in memory, far smaller than it says beforehand.
          else reject(data === 'QuotaExceededError' ? new AppError('browserFull') : new Error(data))
        }
        worker.onerror = () => reject(new Error('the thread that writes the file ended'))
        worker.postMessage(request, moved)
      }),
    stop: () => worker.terminate(),
  }
}

/** Throws away what a page that was closed too early has left in the browser's store. */
export async function clearLeftovers(): Promise<void> {
  if (!canStream()) return
  try {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(folderName)
    for await (const [name, handle] of folder.entries()) {
      const isOld =
        handle.kind === 'file' && Date.now() - (await (handle as FileSystemFileHandle).getFile()).lastModified > keptMs
      if (isOld) await folder.removeEntry(name)
    }
  } catch {
    // There is none, or another window writes to it.
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
