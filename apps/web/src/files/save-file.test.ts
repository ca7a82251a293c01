import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DiskRequest } from './disk-worker.ts'
import { memoryBytes, openDownload } from './save-file.ts'

const MiB = 1024 * 1024
const saved: { name: string; file: Blob }[] = []
const files = new Map<string, Blob>()

/** The browser's own store, as far as a download uses it; `refuses`: writing is not allowed; `holds`: so many pieces, and no more. */
function useStore(refuses: boolean, holds = Number.POSITIVE_INFINITY) {
  const folder = {
    async getFileHandle(name: string) {
      if (refuses) throw new DOMException('full', 'QuotaExceededError')
      return { getFile: async () => files.get(name) }
    },
    removeEntry: async (name: string) => void files.delete(name),
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  /** In the place of disk-worker.ts, which only a browser can run (tests/e2e/files-large.spec.ts). */
  class FakeWorker {
    onmessage: ((event: { data: string | null }) => void) | null = null
    #name = ''
    postMessage(request: DiskRequest) {
      const isFull = 'bytes' in request && parts.length === holds
      if ('open' in request) this.#name = request.open.name
      else if ('bytes' in request && !isFull) parts.push(new Uint8Array(request.bytes))
      else files.set(this.#name, new Blob(parts.splice(0)))
      this.onmessage!({ data: isFull || refuses ? 'QuotaExceededError' : null })
    }
    terminate() {}
  }
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', {
    storage: { getDirectory: async () => ({ getDirectoryHandle: async () => folder }) },
  })
}

beforeEach(() => {
  saved.length = 0
  files.clear()
  let last: Blob
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    last = file as Blob
    return 'blob:x'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, file: last })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('W-25: a large download goes to disk while it comes; half of one is thrown away', async () => {
  useStore(false)
  const whole = await openDownload('large.bin')
  await whole.sink.begin?.(100 * MiB)
  for (let piece = 0; piece < 3; piece += 1) await whole.sink.write(new Uint8Array(MiB).fill(piece))
  expect(files.size).toBe(0)
  await whole.end(true)
  expect([saved[0]!.name, saved[0]!.file.size, files.size]).toEqual(['large.bin', 3 * MiB, 1])
  const half = await openDownload('half.bin')
  await half.sink.begin?.(100 * MiB)
  await half.sink.write(new Uint8Array(MiB))
  await half.end(false)
  expect([saved.length, files.size]).toEqual([1, 1])
})

test('W-25: a store that is full on the way says so, and nothing of the file stays', async () => {
  useStore(false, 2)
  const { sink, end } = await openDownload('large.bin')
  await sink.begin?.(100 * MiB)
  for (let piece = 0; piece < 2; piece += 1) await sink.write(new Uint8Array(MiB))
  await expect(async () => sink.write(new Uint8Array(MiB))).rejects.toMatchObject({ code: 'browserFull' })
  await end(false)
  expect([saved.length, files.size]).toEqual([0, 0])
})

test('W-25: without a secure page it is held in memory, up to a limit that is said before the first byte', async () => {
  vi.stubGlobal('isSecureContext', false)
  const small = await openDownload('../a\nb.txt')
  await small.sink.begin?.(100 * MiB)
  await small.sink.write(new TextEncoder().encode('text'))
  await small.end(true)
  expect(saved[0]!.name).toBe('.._a_b.txt')
  expect(await saved[0]!.file.text()).toBe('text')
  const large = await openDownload('large.bin')
  await expect(large.sink.begin?.(memoryBytes + 1)).rejects.toMatchObject({ code: 'tooLarge' })
  await large.end(false)
  expect(saved).toHaveLength(1)
})

test('storage that the browser refuses: what fits into memory still comes, more is refused', async () => {
  useStore(true)
  const some = await openDownload('some.bin')
  await some.sink.begin?.(100 * MiB)
  await some.sink.write(new Uint8Array(MiB))
  await some.end(true)
  expect(saved[0]!.file.size).toBe(MiB)
  const large = await openDownload('large.bin')
  await expect(large.sink.begin?.(memoryBytes + 1)).rejects.toMatchObject({ code: 'tooLarge' })
})
