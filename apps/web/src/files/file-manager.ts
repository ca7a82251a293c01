import { type AppError, toAppError } from '@qd/core/errors'
import {
  type Conflict,
  type ConflictAnswer,
  createFileController,
  createFileOperations,
  createFileSession,
  createShownFile,
  type FileController,
  type FileEntry,
  type FileOperations,
  isFolder,
  joinPath,
  type LocalTree,
  type ShownFile,
  shownName,
} from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { ports } from '../base/ports.ts'
import { notify } from '../base/state/overlays.ts'
import { client, live, remembered } from '../base/state/stores.ts'
import { texts } from '../base/state/texts.ts'
import { downloadFolder } from './folder-zip.ts'
import { openDownload } from './save-file.ts'

export type PendingQuestion =
  | { kind: 'conflict'; conflict: Conflict; answer: (answer: ConflictAnswer) => void }
  | { kind: 'leave'; answer: (goes: boolean) => void }
  | { kind: 'remove'; names: readonly string[]; answer: (goes: boolean) => void }
  | { kind: 'name'; title: string; start: string; answer: (name: string | null) => void }
  | { kind: 'path'; answer: (path: string | null) => void }

export interface ManagerView {
  readonly asked: PendingQuestion | null
  readonly preview: ShownFile | null
  readonly edited: { readonly entry: FileEntry; readonly path: string } | null
}

export interface FileManager {
  readonly server: number
  readonly controller: FileController
  readonly operations: FileOperations
  view(): ManagerView
  subscribe(listener: () => void): () => void
  open(): Promise<void>
  openName(name: string): void
  preview(entry: FileEntry | null): Promise<void>
  follow(): void
  closePreview(): void
  edit(entry: FileEntry | null): void
  closeEdit(): void
  download(entries?: readonly FileEntry[]): void
  upload(tree: LocalTree): Promise<void>
  goTo(): Promise<void>
  /** True if nothing would be lost or the user confirms. */
  mayLeave(): Promise<boolean>
  fail(thrown: unknown): void
  close(): void
}

export function createFileManager(server: number): FileManager {
  const session = createFileSession({ server, api: client, ports, baseUrl: location.origin })
  const controller = createFileController({ session, server, remembered, now: ports.now, onFailed: logUnexpected })
  const { browser, queue } = controller
  let view: ManagerView = { asked: null, preview: null, edited: null }
  const listeners = new Set<() => void>()
  const change = (part: Partial<ManagerView>) => {
    view = { ...view, ...part }
    for (const listener of listeners) listener()
  }
  /** Asks one question at a time; a second one cancels the first. */
  const ask = <Answer>(make: (answer: (given: Answer) => void) => PendingQuestion) =>
    new Promise<Answer>((resolve) => {
      change({
        asked: make((given) => {
          change({ asked: null })
          resolve(given)
        }),
      })
    })
  const stopRetrying = live.state$.feed.onChange(({ value }) => {
    if (value.status === 'live') void browser.retry()
  })
  const trying = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (thrown) {
      fail(thrown)
    }
  }
  const shown = createShownFile(controller, ports, () => change({ preview: shown.get() }))

  const operations = createFileOperations(controller, {
    askName(before) {
      const { t } = texts()
      const title = before === null ? t('ui.keys.newFolder') : t('ui.files.renameTitle', { name: shownName(before) })
      return ask((answer) => ({ kind: 'name', title, start: before ?? '', answer }))
    },
    askRemove: (names) => ask((answer) => ({ kind: 'remove', names, answer })),
    askConflict: (conflict) => ask((answer) => ({ kind: 'conflict', conflict, answer })),
    removed(names) {
      const { t, format } = texts()
      notify({ tone: 'ok', title: t('ui.files.removed', { names: format.list(names.slice(0, 3).map(shownName)) }) })
    },
    checksum(name, sha256) {
      notify({ tone: 'ok', title: texts().t('ui.files.checksumOf', { name: shownName(name) }), details: [sha256] })
    },
    fail,
  })

  const manager: FileManager = {
    server,
    controller,
    operations,
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async open() {
      const file = await controller.openEntry()
      if (file) await manager.preview(file)
    },
    openName(name) {
      browser.setFilter('')
      browser.moveTo(browser.state().shown.findIndex((entry) => entry.name === name))
      void manager.open()
    },
    async preview(entry) {
      if (!entry) return
      if (entry.kind === 'folder') return void (await browser.enter(entry.name))
      await shown.show(entry)
    },
    follow: shown.follow,
    closePreview: shown.close,
    edit(entry) {
      if (!entry || entry.kind === 'folder') return
      shown.close()
      change({ edited: { entry, path: joinPath(browser.state().path, entry.name) } })
    },
    closeEdit: () => change({ edited: null }),
    download(entries = browser.chosen()) {
      const files = entries.filter((entry) => !isFolder(entry))
      const folders = entries.filter(isFolder)
      if (folders.length > 0 && !controller.can().has('folders'))
        notify({ tone: 'warn', title: texts().t('ui.files.notFolder') })
      else for (const folder of folders) void trying(() => downloadFolder(controller, folder))
      if (files.length > 0) controller.download(files, openDownload)
      browser.clearMarks()
    },
    async upload(tree) {
      if (tree.folders.length > 0 && !controller.can().has('folders'))
        notify({ tone: 'warn', title: texts().t('ui.files.unsupported') })
      else await operations.upload(tree)
    },
    async goTo() {
      const path = await ask<string | null>((answer) => ({ kind: 'path', answer }))
      if (path !== null) await browser.go(path)
    },
    async mayLeave() {
      return !queue.isBusy() || ask<boolean>((answer) => ({ kind: 'leave', answer }))
    },
    fail,
    close() {
      shown.close()
      stopRetrying()
      controller.close()
    },
  }
  return manager
}

const lost: readonly string[] = ['streamEnded', 'fileStalled', 'unreachable', 'timeout']

function fail(thrown: unknown): void {
  const error = toAppError(thrown)
  if (error.code === 'cancelled' || error.code === 'stepUpRequired') return
  logUnexpected(error)
  const { translator, t } = texts()
  const { title, details, hint } = errorText(translator, error)
  const own = typeof error.params.text === 'string' && error.params.text !== '' ? [error.params.text] : null
  const heading = lost.includes(error.code)
    ? t('ui.terminal.websocketError')
    : error.code === 'badAnswer'
      ? t('ui.files.unknown')
      : t('ui.files.fmError')
  notify({
    tone: 'bad',
    title: heading,
    details: own ?? [title, ...details, hint].filter((line) => line !== undefined),
    about: 'files',
  })
}

function logUnexpected(error: AppError): void {
  if (error.code === 'internal') console.error(error)
}
