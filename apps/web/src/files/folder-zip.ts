import { type FileController, type FileEntry, shownName } from '@qd/core/files'
import { makeZip, predictLength } from 'client-zip'
import { notify } from '../base/state/overlays.ts'
import { texts } from '../base/state/texts.ts'
import { openDownload } from './save-file.ts'

/** Downloads a folder as one uncompressed ZIP file. */
export async function downloadFolder(controller: FileController, entry: FileEntry): Promise<void> {
  const { files, folders, hasOthers } = await controller.below(entry)
  if (hasOthers) notify({ tone: 'warn', title: texts().t('ui.files.leftOut', { name: shownName(entry.name) }) })
  const sizes = files.map(({ size }) => size)
  const parts = [
    ...folders.map((names) => ({ name: `${zipName(names)}/` })),
    ...files.map(({ names, path, size }) => ({ name: zipName(names), path, size: size ?? 0 })),
  ]
  const whole = sizes.includes(null) ? null : Number(predictLength(parts))
  controller.queue.add([
    {
      direction: 'download',
      name: `${entry.name}.zip`,
      path: controller.browser.state().path,
      size: whole,
      async work(report, signal) {
        const { sink, end } = await openDownload(`${entry.name}.zip`)
        let isWhole = false
        const stop = new AbortController()
        try {
          await sink.begin?.(whole ?? 0)
          const read = partsOf(controller, parts, AbortSignal.any([signal, stop.signal]))
          for await (const bytes of iterate(makeZip(read))) {
            await sink.write(bytes)
            report.moved(bytes.length)
          }
          isWhole = true
          return null
        } finally {
          stop.abort()
          await end(isWhole)
        }
      },
    },
  ])
}

type Part = { name: string; path?: string; size?: number }

/** Reads one part at a time: one stream to the agent is enough. */
async function* partsOf({ session }: FileController, parts: readonly Part[], signal: AbortSignal) {
  for (const { name, path } of parts) {
    if (path === undefined) {
      yield { name }
      continue
    }
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    session
      .download(path, { write: (bytes) => writer.write(bytes.slice()) }, { signal })
      .then(() => writer.close())
      .catch((error: unknown) => writer.abort(error))
    yield { name, input: readable }
  }
}

/** Not every browser can iterate a stream. */
async function* iterate(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

const zipName = (names: readonly string[]) => names.map((name) => shownName(name).replaceAll('\\', '_')).join('/')
