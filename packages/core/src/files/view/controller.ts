import { concat } from '@qd/protocol/bytes'
import { AppError } from '../../errors.ts'
import type { Remembered } from '../../store/index.ts'
import { shownName } from '../shown-name.ts'
import type {
  FileAbility,
  FileEntry,
  FileSession,
  FileSink,
  FileSource,
  FolderList,
  TransferProgress,
} from '../types.ts'
import { createFileBrowser, type FileBrowser } from './browser.ts'
import { isFolder } from './folder-order.ts'
import { joinPath } from './paths.ts'
import { type Preview, picturePreviewBytes, previewOf, seemsPicture, textPreviewBytes } from './preview.ts'
import { createTransferQueue, type Transfer, type TransferQueue, type TransferRequest } from './queue.ts'

/** Where a download is written; `end` is called once, whatever the outcome. */
export interface OpenSink {
  readonly sink: FileSink
  /** If not `isWhole`, discards what was written. */
  end(isWhole: boolean): Promise<void>
}

export interface LocalFile extends FileSource {
  readonly name: string
}

/** A file below a folder. `names`: of the folders between and its own. */
export interface FileBelow {
  readonly names: readonly string[]
  readonly path: string
  readonly size: number | null
}

export interface FolderTree {
  readonly path: string
  readonly files: readonly FileBelow[]
  /** The names of every folder’s path, parents first. */
  readonly folders: readonly (readonly string[])[]
  /** Something that is neither file nor folder was left out. */
  readonly hasOthers: boolean
}

export interface FilePreview {
  readonly preview: Preview
  readonly size: number | null
}

/** The files of one server in a file manager: folders, transfers, previews. */
export interface FileController {
  readonly session: FileSession
  readonly browser: FileBrowser<FileEntry>
  readonly queue: TransferQueue
  /** Abilities of the agent; empty until the first response. */
  can(): ReadonlySet<FileAbility>
  /** Enters the folder under the cursor or follows type-ahead and returns null; else returns the file to preview. Tries a link as a folder first. */
  openEntry(): Promise<FileEntry | null>
  /** Queues files of the folder; `open` is called when each one’s turn comes. */
  download(entries: readonly FileEntry[], open: (name: string) => Promise<OpenSink>): void
  downloadBelow(files: readonly FileBelow[], open: (names: readonly string[]) => Promise<OpenSink>): void
  /** Queues uploads under these names to `parent` (default: the folder shown), or to a folder below it. */
  upload(files: readonly { file: LocalFile; name: string; folder?: readonly string[] }[], parent?: string): void
  /** Everything below a folder of the folder shown, without links. Errors: those of the session. */
  below(entry: FileEntry): Promise<FolderTree>
  /** The end of a text, or a whole picture. Errors: `tooLarge` (`size`), those of the session. */
  preview(path: string, entry: FileEntry): Promise<FilePreview>
  close(): void
}

/** The agent sends details of at most so many entries. */
const maxDetails = 5000

/** Requests nothing yet. `onFailed` is called for each failed transfer. */
export function createFileController({
  session,
  server,
  remembered,
  now,
  onFailed = () => undefined,
}: {
  session: FileSession
  server: number
  remembered: Pick<Remembered, 'read' | 'write'>
  now: () => number
  onFailed?: (error: AppError) => void
}): FileController {
  let abilities: ReadonlySet<FileAbility> = new Set()

  const list = async (path: string): Promise<FolderList> => {
    const listed = await session.list(path)
    abilities = await session.abilities()
    if (!abilities.has('details') || listed.entries.length > maxDetails) return listed
    try {
      const { entries } = await session.details(listed.path)
      const known = new Map(entries.map((entry) => [entry.name, entry]))
      return { ...listed, entries: listed.entries.map((entry) => known.get(entry.name) ?? entry) }
    } catch {
      // Names without details are better than an error.
      return listed
    }
  }
  const browser = createFileBrowser<FileEntry>({ list, onArrive: (path) => keepPath(remembered, server, path) })
  const queue = createTransferQueue({
    now,
    onEnd({ direction, state, path, error }: Transfer) {
      if (error) onFailed(error)
      const { path: folder } = browser.state()
      if (direction === 'upload' && state !== 'waiting' && path === folder) void browser.refresh()
    },
  })

  /** `folder`: displayed as the source. */
  const downloadOf = (
    { name, folder, path, size }: { name: string; folder: string; path: string; size: number | null },
    open: () => Promise<OpenSink>,
  ): TransferRequest => ({
    direction: 'download',
    name,
    path: folder,
    size,
    async work(report, signal) {
      const { sink, end } = await open()
      let isWhole = false
      let done = 0
      const begin = async (bytes: number) => {
        report.size(bytes)
        await sink.begin?.(bytes)
      }
      const onProgress = (progress: TransferProgress) => {
        report.moved(progress.done - done)
        done = progress.done
      }
      try {
        const write: FileSink['write'] = (bytes) => sink.write(bytes)
        const { size: whole, grew } = await session.download(path, { begin, write }, { signal, onProgress })
        isWhole = true
        report.moved(whole - done)
        return grew ? 'grew' : null
      } finally {
        await end(isWhole)
      }
    },
  })

  return {
    session,
    browser,
    queue,
    can: () => abilities,
    async openEntry() {
      if (!(await browser.takeFind())) return null
      const entry = browser.current()
      if (!entry) return null
      if (isFolder(entry)) {
        await browser.enter(entry.name)
        return null
      }
      if (entry.kind !== 'link' || !(await leadsToFolder(joinPath(browser.state().path, entry.name)))) return entry
      await browser.enter(entry.name)
      return null
    },
    download(entries, open) {
      const folder = browser.state().path
      queue.add(
        entries.map(({ name, size = null }) =>
          downloadOf({ name, folder, path: joinPath(folder, name), size }, () => open(name)),
        ),
      )
    },
    downloadBelow(files, open) {
      const folder = browser.state().path
      queue.add(
        files.map(({ names, path, size }) =>
          downloadOf({ name: names.join('/'), folder, path, size }, () => open(names)),
        ),
      )
    },
    upload(files, parent = browser.state().path) {
      queue.add(
        files.map(({ file, name, folder = [] }) => ({
          direction: 'upload',
          name: [...folder, name].join('/'),
          path: parent,
          size: file.size,
          async work(report, signal) {
            let done = 0
            const { sha256 } = await session.upload([...folder, name].reduce(joinPath, parent), file, {
              signal,
              onProgress(progress) {
                report.moved(progress.done - done)
                done = progress.done
              },
            })
            report.moved(file.size - done)
            return sha256
          },
        })),
      )
    },
    async below({ name }) {
      const root = joinPath(browser.state().path, name)
      const files: FileBelow[] = []
      const folders: (readonly string[])[] = []
      let hasOthers = false
      const walk = async (path: string, names: readonly string[]): Promise<void> => {
        const listed = await list(path)
        if (listed.isElsewhere) throw new AppError('failed', { path, text: shownName(path) })
        folders.push(names)
        for (const entry of listed.entries) {
          const below = [...names, entry.name]
          if (isFolder(entry)) await walk(joinPath(path, entry.name), below)
          else if (entry.kind !== 'file') hasOthers = true
          else files.push({ names: below, path: joinPath(path, entry.name), size: entry.size ?? null })
        }
      }
      await walk(root, [name])
      return { path: root, files, folders, hasOthers }
    },
    async preview(path, { name, size }) {
      const isPicture = seemsPicture(name) && (size ?? 0) <= picturePreviewBytes
      if (!isPicture && abilities.has('read') && abilities.has('resume')) {
        const { bytes } = await session.readRange(path, { offset: -textPreviewBytes, length: textPreviewBytes })
        const isWhole = bytes.length < textPreviewBytes || size === bytes.length
        return { preview: previewOf(bytes, isWhole), size: isWhole ? bytes.length : (size ?? null) }
      }
      if (size !== undefined && size > picturePreviewBytes) throw new AppError('tooLarge', { size })
      const bytes = await whole(path)
      const preview = previewOf(bytes, true)
      if (preview.kind !== 'text' || bytes.length <= textPreviewBytes) return { preview, size: bytes.length }
      return { preview: previewOf(bytes.subarray(-textPreviewBytes), false), size: bytes.length }
    },
    close() {
      queue.cancelAll()
      session.close()
    },
  }

  async function leadsToFolder(path: string): Promise<boolean> {
    try {
      await session.details(path)
      return true
    } catch {
      return false
    }
  }
  async function whole(path: string): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    await session.download(path, {
      begin(size) {
        if (size > picturePreviewBytes) throw new AppError('tooLarge', { size })
      },
      write: (bytes) => void pieces.push(bytes),
    })
    return concat(pieces)
  }
}

const most = 20
const part = (server: number) => `paths:${server}`

/** The folders visited on a server, the latest first. Ignores what can’t be read. */
export function pastPaths(remembered: Pick<Remembered, 'read'>, server: number): readonly string[] {
  const stored = remembered.read('server', part(server))
  return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string').slice(0, most) : []
}

export function keepPath(remembered: Pick<Remembered, 'read' | 'write'>, server: number, path: string): void {
  const others = pastPaths(remembered, server).filter((one) => one !== path)
  remembered.write('server', part(server), [path, ...others].slice(0, most))
}
