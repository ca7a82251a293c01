import { mkdir, open, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { toAppError } from '@qd/core/errors'
import {
  type ConflictAnswer,
  type ConflictChoice,
  createFileOperations,
  type FileEntry,
  freeName,
  isFolder,
  joinPath,
  type LocalFile,
  type LocalTree,
  type OpenSink,
  pastPaths,
  readText,
  safeFileName,
  saveText,
  settleNames,
  shownName,
} from '@qd/core/files'
import { firstNames } from '@qd/core/i18n'
import type { Io } from '../../base/io.ts'
import { localKind, localNames, openTarget, said } from '../../cli/commands/files/local.ts'
import { editText } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { askChoice, askLine } from '../views/ask-line.tsx'
import { askQuestion } from '../views/question.tsx'
import type { FilesState } from './files-state.ts'

function localPath({ cwd, home }: Pick<Io, 'cwd' | 'home'>, typed: string): string {
  const text = typed.trim()
  if (text === '~') return home
  if (text.startsWith('~/')) return join(home, text.slice(2))
  return isAbsolute(text) ? text : resolve(cwd, text)
}

async function openLocalSink(path: string): Promise<OpenSink> {
  const { sink, finish, stop } = await openTarget(path, false)
  return { sink, end: (isWhole) => (isWhole ? finish() : stop(false)) }
}

async function openLocalFile(path: string): Promise<LocalFile> {
  const { size } = await said(stat(path))
  return {
    name: basename(path),
    size,
    async read(offset, length) {
      const file = await said(open(path, 'r'))
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
}

async function openLocalTree(path: string): Promise<LocalTree> {
  const files: LocalTree['files'][number][] = []
  const folders: string[][] = []
  const walk = async (at: string, folder: readonly string[]): Promise<void> => {
    const found = await said(stat(at))
    if (found.isDirectory()) {
      const own = [...folder, basename(at)]
      folders.push(own)
      for (const name of await localNames(at)) await walk(join(at, name), own)
    } else if (found.isFile()) files.push({ file: await openLocalFile(at), folder })
  }
  await walk(path, [])
  return { files, folders }
}

export function createFilesActions(ui: Ui, { controller }: FilesState) {
  const { browser, session } = controller
  const { format, remembered, t } = ui.workspace
  const trying = (work: () => Promise<unknown>) => ui.trying(() => ui.during(work()))
  const settle = (name: string, folder: boolean, more: number): Promise<ConflictAnswer> => {
    const kinds: readonly (readonly [ConflictChoice, string])[] = [
      ['skip', t('ui.files.conflict.skip')],
      ['keep-both', t('ui.files.conflict.keepBoth')],
      ...(folder ? [] : ([['replace', t('ui.files.conflict.replace')]] as const)),
    ]
    const choices = [false, ...(more > 0 ? [true] : [])].flatMap((forAll) =>
      kinds.map(([choice, label]) => ({
        label: forAll ? `${label} · ${t('ui.files.conflict.forAll', { count: more })}` : label,
        value: { choice, forAll },
      })),
    )
    return askChoice(ui, t('ui.files.conflict.title', { name: shownName(name) }), choices)
  }

  const listed = (names: readonly string[]) => firstNames(names, 5, ui.workspace, shownName)
  const operations = createFileOperations(controller, {
    askName(before) {
      const title = before === null ? t('ui.keys.newFolder') : t('ui.files.renameTitle', { name: shownName(before) })
      return askLine(ui, { title, start: before ?? '', help: '' })
    },
    askRemove: (names) =>
      askQuestion(ui, {
        title: t('ui.files.remove.title', { names: listed(names) }),
        body: t('ui.files.remove.text'),
        go: t('ui.keys.removeEntries'),
        bad: true,
      }),
    askConflict: ({ name, isFolder: folder, more }) => settle(name, folder, more),
    removed: (names) => ui.say(t('ui.files.removed', { names: listed(names) }), 'ok'),
    checksum: (name, sha256) => ui.say(`${t('ui.files.checksumOf', { name: shownName(name) })}: ${sha256}`, 'ok'),
    fail: (thrown) => ui.fail(toAppError(thrown)),
  })
  const downloadFolder = async (entry: FileEntry, to: string) => {
    const { files, folders, hasOthers } = await controller.below(entry)
    if (hasOthers) ui.say(t('ui.files.leftOut', { name: shownName(entry.name) }), 'warn')
    const [, ...under] = folders
    const local = (names: readonly string[]) => join(to, ...names.slice(1).map(safeFileName))
    for (const names of [[entry.name], ...under]) await said(mkdir(local(names), { recursive: true }))
    controller.downloadBelow(files, (names) => openLocalSink(local(names)))
  }

  return {
    operations,
    async goTo(server: number) {
      const past = pastPaths(remembered, server)
      const path = await askLine(ui, { title: t('ui.keys.goToPath'), start: '', help: t('ui.files.pathHelp'), past })
      if (path !== null) await ui.during(browser.go(path))
    },
    async download(entries: readonly FileEntry[]) {
      if (entries.length === 0) return
      if (entries.some(isFolder) && !controller.can().has('folders')) return ui.say(t('ui.files.notFolder'), 'warn')
      const [first] = entries
      const start = entries.length === 1 ? join(ui.io.cwd, safeFileName(first!.name)) : ui.io.cwd
      const typed = await askLine(ui, { title: t('ui.files.saveTo'), start, help: '' })
      if (typed === null || typed.trim() === '') return
      const target = localPath(ui.io, typed)
      const isInto = entries.length > 1 || (await localKind(target)) === 'folder'
      const wanted = entries.map(({ name }) => (isInto ? join(target, safeFileName(name)) : target))
      const taken: { name: string; kind: 'file' | 'folder' }[] = []
      for (const path of wanted) {
        const kind = await localKind(path)
        if (kind) taken.push({ name: path, kind: kind === 'folder' ? kind : 'file' })
      }
      const whole = new Set(wanted.filter((_, index) => isFolder(entries[index]!)))
      const paths = await settleNames(
        wanted,
        taken,
        ({ name, isFolder: folder, more }) => settle(name, folder, more),
        whole,
      )
      if (paths === null) return
      for (const [index, entry] of entries.entries()) {
        const path = paths[index]
        if (!path) continue
        if (isFolder(entry)) await trying(() => downloadFolder(entry, path))
        else controller.download([entry], () => openLocalSink(path))
      }
      browser.clearMarks()
    },
    async upload() {
      const typed = await askLine(ui, { title: t('ui.files.uploadFrom'), start: '', help: ui.io.cwd })
      if (typed === null || typed.trim() === '') return
      const path = localPath(ui.io, typed)
      const isTree = (await localKind(path)) === 'folder'
      if (isTree && !controller.can().has('folders')) return ui.say(t('ui.files.unsupported'), 'warn')
      await trying(async () => operations.upload(await openLocalTree(path)))
    },
    async edit(entry: FileEntry | null) {
      if (!entry || isFolder(entry)) return
      const path = operations.pathOf(entry)
      await trying(async () => {
        const change = async (before: Awaited<ReturnType<typeof readText>>) => {
          if (before) return { before, edited: await editText(ui, before.text, safeFileName(entry.name)) }
          ui.say(t('ui.files.edit.notText', { size: format.bytes(1024 * 1024) }), 'warn')
          return null
        }
        const changed = await ui.bring(readText(session, path), change)
        if (!changed) return
        const { before, edited } = changed
        // Editors add a line feed; keep it only if the file had one.
        const text = edited === null ? null : before.text.endsWith('\n') ? `${edited}\n` : edited
        if (text === null || text === before.text) return
        const saved = await saveText(session, { path, before, text })
        if (saved.kind === 'saved') ui.say(t('ui.files.edit.saved', { name: shownName(entry.name) }), 'ok')
        else {
          const taken = new Set(browser.state().entries.map(({ name }) => name))
          const copy = freeName(entry.name, taken)
          await saveText(session, { path: joinPath(browser.state().path, copy), before, text, copy: true })
          ui.say(t('ui.files.edit.kept', { name: shownName(copy) }), 'warn')
        }
        await browser.refresh()
      })
    },
  }
}
