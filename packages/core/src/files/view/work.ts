import { shellQuote } from '@qd/protocol/shell-quote'
import type { FileCommand } from '../../actions/index.ts'
import { defined } from '../../errors/index.ts'
import type { FileAbility, FileEntry } from '../types.ts'
import type { FileDesk, LocalFile } from './desk.ts'
import { isFolder } from './folder-order.ts'
import { type Conflict, type ConflictAnswer, settleNames } from './names.ts'
import { joinPath } from './paths.ts'
import { canRetry } from './queue.ts'

/** How a file manager asks and tells, whatever draws it. An answer of null or false: do not. */
export interface FileTalk {
  /** The name of a new folder (`before` is null), or the new name of an entry. */
  askName(before: string | null): Promise<string | null>
  askRemove(names: readonly string[]): Promise<boolean>
  askConflict(conflict: Conflict): Promise<ConflictAnswer>
  removed(names: readonly string[]): void
  checksum(name: string, sha256: string): void
  fail(thrown: unknown): void
}

/** Files of this machine that are to go to the server. */
export interface LocalTree {
  /** `folder`: names of the folders that it lies in, the outermost first; none for a file that was chosen itself. */
  readonly files: readonly { readonly file: LocalFile; readonly folder: readonly string[] }[]
  /** All folders, also those without a file, each after the one that it lies in. */
  readonly folders: readonly (readonly string[])[]
}

/** What is done with the entries of a folder beyond walking and looking; each asks what it needs and says what came of it. */
export interface FileWork {
  makeFolder(): Promise<void>
  rename(): Promise<void>
  remove(): Promise<void>
  checksum(): Promise<void>
  /** Asks about taken names (behaviour W-27), makes the folders and queues the files. Folders only where the agent can make them. */
  upload(tree: LocalTree): Promise<void>
  /** Commands that the agent of this server cannot carry out. */
  unsupported(): ReadonlySet<string>
  /** Commands that are not offered now: the same, cancelling where nothing runs, and trying again where nothing failed. */
  missing(): ReadonlySet<string>
  /** The same as a line of the CLI, for the server of this name: the folder to list, or the file to fetch. */
  cliLine(server: { id: number; name: string }, entry: FileEntry | null): string
  /** The path of an entry; of the folder where there is none. */
  pathOf(entry: FileEntry | null): string
}

/** What the agent must have announced for a command; the others every agent can. */
const needs: Readonly<Partial<Record<FileCommand, FileAbility>>> = {
  newFolder: 'folders',
  renameEntry: 'rename',
  removeEntries: 'delete',
  checksum: 'checksum',
}

/** Builds it on a desk. */
export function createFileWork(desk: FileDesk, talk: FileTalk): FileWork {
  const { browser, session, queue } = desk
  const at = (name: string) => joinPath(browser.state().path, name)
  const trying = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (thrown) {
      talk.fail(thrown)
    }
  }
  const show = async (name: string) => {
    await browser.refresh()
    browser.moveTo(browser.state().shown.findIndex((entry) => entry.name === name))
  }
  const unsupported = () => {
    const can = desk.can()
    return new Set(Object.entries(needs).flatMap(([command, ability]) => (can.has(ability) ? [] : [command])))
  }
  const pathOf = (entry: FileEntry | null) => (entry ? at(entry.name) : browser.state().path)

  return {
    pathOf,
    async makeFolder() {
      const name = await talk.askName(null)
      if (!name) return
      await trying(async () => {
        await session.makeFolder(at(name))
        await show(name)
      })
    },
    async rename() {
      const entry = browser.current()
      if (!entry) return
      const name = await talk.askName(entry.name)
      if (!name || name === entry.name) return
      await trying(async () => {
        await session.rename(at(entry.name), at(name))
        await show(name)
      })
    },
    async remove() {
      const chosen = browser.chosen()
      const names = chosen.map(({ name }) => name)
      if (chosen.length === 0 || !(await talk.askRemove(names))) return
      await trying(async () => {
        for (const entry of chosen) await session.remove(at(entry.name), { recursive: isFolder(entry) })
        talk.removed(names)
      })
      await browser.refresh()
    },
    async checksum() {
      const entry = browser.current()
      if (!entry || isFolder(entry)) return
      await trying(async () => talk.checksum(entry.name, (await session.checksum(at(entry.name))).sha256))
    },
    async upload({ files, folders }) {
      const parent = browser.state().path
      const own = files.filter(({ folder }) => folder.length === 0)
      const tops = [...new Set(folders.map(([top]) => defined(top)))]
      const wanted = [...own.map(({ file }) => file.name), ...tops]
      const settled = await settleNames(wanted, browser.state().entries, talk.askConflict, new Set(tops))
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
        return talk.fail(thrown)
      }
      const single = own.flatMap(({ file }, index) => (names[index] ? [{ file, name: names[index] }] : []))
      const below = files.flatMap(({ file, folder }) => {
        const path = folder.length > 0 ? there(folder) : null
        return path ? [{ file, name: file.name, folder: path }] : []
      })
      desk.upload([...single, ...below], parent)
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
      // A name that the CLI would read otherwise is left to the id.
      const own = /^\s*$|^#?\d+$|^-|:/.test(name) ? String(id) : name
      const isFile = entry !== null && !isFolder(entry)
      const place = shellQuote(`${own}:${isFile ? pathOf(entry) : browser.state().path}`)
      return `qd files ${isFile ? 'get' : 'ls'} ${place}`
    },
  }
}
