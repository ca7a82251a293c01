import { AppError } from '@qd/core/errors'
import { type OpenSink, safeFileName } from '@qd/core/files'
import type { DiskRequest } from './disk-worker.ts'

/** Larger downloads are written to disk while they arrive, if the browser supports it. */
const smallBytes = 32 * 1024 * 1024
/** Maximum download size without disk support. */
export const memoryBytes = 512 * 1024 * 1024
/** How long the blob stays readable: browsers read it after the click. */
const keptMs = 10 * 60_000
const folderName = 'downloads'

/** Whether downloads can be written to disk: the browser’s store needs a secure context. */
export const canStream = (): boolean => isSecureContext && typeof navigator.storage?.getDirectory === 'function'

/** A download that the browser receives when complete (behaviour W-25). Errors: `tooLarge` before its first byte, `browserFull`. */
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
        // The session may reuse its buffer.
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

/** Starts the worker, which handles one request at a time. */
function startWriter() {
  const worker = new Worker(new URL('./disk-worker.ts', import.meta.url), { type: 'module' })
  return {
    ask: (request: DiskRequest, moved: Transferable[] = []): Promise<void> =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<string | null>) => {
          if (data === null) resolve()
          // A private window’s store is in memory and far smaller than reported.
          else reject(data === 'QuotaExceededError' ? new AppError('browserFull') : new Error(data))
        }
        worker.onerror = () => reject(new Error('the thread that writes the file ended'))
        worker.postMessage(request, moved)
      }),
    stop: () => worker.terminate(),
  }
}

/** Deletes what an aborted page left in the browser’s store. */
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
  } catch {}
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
