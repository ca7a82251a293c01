import { shellQuote } from '@qd/protocol/shell-quote'
import type { FileCommand } from '../../actions/index.ts'
import { defined } from '../../errors.ts'
import type { FileAbility, FileEntry } from '../types.ts'
import type { FileController, LocalFile } from './controller.ts'
import { isFolder } from './folder-order.ts'
import { type Conflict, type ConflictAnswer, settleNames } from './names.ts'
import { joinPath } from './paths.ts'
import { canRetry } from './queue.ts'

/** The dialogs and messages of a file manager. An answer of null or false cancels. */
export interface FileDialogs {
  /** The name of a new folder (`before` is null), or the new name of an entry. */
  askName(before: string | null): Promise<string | null>
  askRemove(names: readonly string[]): Promise<boolean>
  askConflict(conflict: Conflict): Promise<ConflictAnswer>
  removed(names: readonly string[]): void
  checksum(name: string, sha256: string): void
  fail(thrown: unknown): void
}

export interface LocalTree {
  /** `folder`: names of the enclosing folders, outermost first; empty for a file that was chosen itself. */
  readonly files: readonly { readonly file: LocalFile; readonly folder: readonly string[] }[]
  /** All folders, including empty ones, parents first. */
  readonly folders: readonly (readonly string[])[]
}

export interface FileOperations {
  makeFolder(): Promise<void>
  rename(): Promise<void>
  remove(): Promise<void>
  checksum(): Promise<void>
  /** Asks about taken names (behavior W-27), creates the folders and queues the files. Folders require the ability `folders`. */
  upload(tree: LocalTree): Promise<void>
  unsupported(): ReadonlySet<string>
  /** Commands that aren’t available now: unsupported ones, cancel if nothing runs, retry if nothing failed. */
  missing(): ReadonlySet<string>
  cliLine(server: { id: number; name: string }, entry: FileEntry | null): string
  pathOf(entry: FileEntry | null): string
}

/** The ability that a command requires; every agent supports the others. */
const needs: Readonly<Partial<Record<FileCommand, FileAbility>>> = {
  newFolder: 'folders',
  renameEntry: 'rename',
  removeEntries: 'delete',
  checksum: 'checksum',
}

export function createFileOperations(controller: FileController, dialogs: FileDialogs): FileOperations {
  const { browser, session, queue } = controller
  const at = (name: string) => joinPath(browser.state().path, name)
  const trying = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (thrown) {
      dialogs.fail(thrown)
    }
  }
  const show = async (name: string) => {
    await browser.refresh()
    browser.moveTo(browser.state().shown.findIndex((entry) => entry.name === name))
  }
  const unsupported = () => {
    const can = controller.can()
    return new Set(Object.entries(needs).flatMap(([command, ability]) => (can.has(ability) ? [] : [command])))
  }
  const pathOf = (entry: FileEntry | null) => (entry ? at(entry.name) : browser.state().path)

  return {
    pathOf,
    async makeFolder() {
      const name = await dialogs.askName(null)
      if (!name) return
      await trying(async () => {
        await session.makeFolder(at(name))
        await show(name)
      })
    },
    async rename() {
      const entry = browser.current()
      if (!entry) return
      const name = await dialogs.askName(entry.name)
      if (!name || name === entry.name) return
      await trying(async () => {
        await session.rename(at(entry.name), at(name))
        await show(name)
      })
    },
    async remove() {
      const chosen = browser.chosen()
      const names = chosen.map(({ name }) => name)
      if (chosen.length === 0 || !(await dialogs.askRemove(names))) return
      await trying(async () => {
        for (const entry of chosen) await session.remove(at(entry.name), { recursive: isFolder(entry) })
        dialogs.removed(names)
      })
      await browser.refresh()
    },
    async checksum() {
      const entry = browser.current()
      if (!entry || isFolder(entry)) return
      await trying(async () => dialogs.checksum(entry.name, (await session.checksum(at(entry.name))).sha256))
    },
    async upload({ files, folders }) {
      const parent = browser.state().path
      const own = files.filter(({ folder }) => folder.length === 0)
      const tops = [...new Set(folders.map(([top]) => defined(top)))]
      const wanted = [...own.map(({ file }) => file.name), ...tops]
      const settled = await settleNames(wanted, browser.state().entries, dialogs.askConflict, new Set(tops))
      if (settled === null) return
      const names = settled.slice(0, own.length)
      const roots = new Map(tops.map((top, index) => [top, settled[own.length + index] ?? null]))
      const there = ([top, ...below]: readonly string[]) => {
        const root = roots.get(defined(top))
        return root ? [root, ...below] : null
      }
      const made = folders.flatMap((folder) => there(folder)?.reduce(joinPath, parent) ?? [])
      try {
        for (const folder of made) await session.makeFolder(folder)
      } catch (thrown) {
        return dialogs.fail(thrown)
      }
      const single = own.flatMap(({ file }, index) => (names[index] ? [{ file, name: names[index] }] : []))
      const below = files.flatMap(({ file, folder }) => {
        const path = folder.length > 0 ? there(folder) : null
        return path ? [{ file, name: file.name, folder: path }] : []
      })
      controller.upload([...single, ...below], parent)
      if (made.length > 0) await browser.refresh()
    },
    unsupported,
    missing() {
      const missing = unsupported()
      if (!queue.isBusy()) missing.add('cancelTransfer')
      if (!queue.list().some(canRetry)) missing.add('retryTransfers')
      return missing
    },
    cliLine({ id, name }, entry) {
      // The CLI would misread such a name, so use the ID.
      const own = /^\s*$|^#?\d+$|^-|:/.test(name) ? String(id) : name
      const isFile = entry !== null && !isFolder(entry)
      const place = shellQuote(`${own}:${isFile ? pathOf(entry) : browser.state().path}`)
      return `qd files ${isFile ? 'get' : 'ls'} ${place}`
    },
  }
}
