import { expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import type { FileAbility, FileEntry, FileSession } from '../types.ts'
import { createFileController } from './controller.ts'
import { createFileOperations, type FileDialogs, type LocalTree } from './operations.ts'
import { parentPath } from './paths.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const all: readonly FileAbility[] = ['details', 'read', 'resume', 'folders', 'rename', 'delete', 'checksum']

/** A server whose folders (null) and files are kept here, and a person who answers what the test says. */
function setup(
  paths: Readonly<Record<string, string | null>>,
  abilities: readonly FileAbility[] = all,
  dialogs: Partial<FileDialogs> = {},
) {
  const tree = new Map<string, string | null>(Object.entries({ '/srv': null, ...paths }))
  const told: unknown[] = []
  const below = (path: string) =>
    [...tree].flatMap(([one, text]): FileEntry[] => {
      if (parentPath(one) !== path) return []
      const name = one.slice(path.length + 1)
      if (text === null) return [{ name, kind: 'folder' }]
      return [{ name, kind: name.endsWith('.link') ? 'link' : 'file', size: text.length }]
    })
  const listed = async (asked: string) => {
    const path = asked === '' ? '/srv' : asked
    return { path, entries: below(path), isElsewhere: false, isCut: false }
  }
  const session = {
    abilities: async () => new Set(abilities),
    list: listed,
    details: listed,
    async makeFolder(path) {
      if (tree.get(path) !== undefined && tree.get(path) !== null) throw new AppError('failed', { text: 'exists' })
      tree.set(path, null)
    },
    async rename(from, to) {
      tree.set(to, tree.get(from)!)
      tree.delete(from)
    },
    async remove(path) {
      return tree.delete(path) ? 1 : 0
    },
    checksum: async () => ({ sha256: 'sum', size: 1 }),
    async upload(path, source) {
      tree.set(path, new TextDecoder().decode(await source.read(0, source.size)))
      return { path, size: source.size, sha256: null }
    },
    async download(path, sink) {
      const bytes = bytesOf(tree.get(path)!)
      await sink.write(bytes)
      return { size: bytes.length, grew: false }
    },
    close: () => undefined,
  } as Partial<FileSession> as FileSession
  const remembered = { read: () => undefined, write: () => undefined }
  const controller = createFileController({ session, server: 1, remembered, now: () => 0 })
  const operations = createFileOperations(controller, {
    askName: async () => null,
    askRemove: async () => true,
    askConflict: async () => null,
    removed: (names) => void told.push(['removed', ...names]),
    checksum: (name, sha256) => void told.push([name, sha256]),
    fail: (thrown) => void told.push(thrown),
    ...dialogs,
  })
  return { controller, operations, tree, told }
}
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const fileOf = (name: string, text: string) => ({
  name,
  size: bytesOf(text).length,
  read: async () => bytesOf(text),
})

test('a new folder, a new name and a deletion show where the cursor is afterwards', async () => {
  let name = 'logs'
  const { controller, operations, tree, told } = setup({ '/srv/a': 'x' }, all, { askName: async () => name })
  await controller.browser.go('')
  await operations.makeFolder()
  expect([tree.get('/srv/logs'), controller.browser.current()?.name]).toEqual([null, 'logs'])
  name = 'old'
  await operations.rename()
  expect([[...tree.keys()], controller.browser.current()?.name]).toEqual([['/srv', '/srv/a', '/srv/old'], 'old'])
  await operations.remove()
  expect([[...tree.keys()], told]).toEqual([['/srv', '/srv/a'], [['removed', 'old']]])
  await operations.checksum()
  expect(told.at(-1)).toEqual(['a', 'sum'])
})

test('only what the agent announced is offered', async () => {
  const { controller, operations } = setup({}, [])
  await controller.browser.go('')
  expect([...operations.missing()]).toEqual([
    'newFolder',
    'renameEntry',
    'removeEntries',
    'checksum',
    'cancelTransfer',
    'retryTransfers',
  ])
  const own = setup({})
  await own.controller.browser.go('')
  expect([...own.operations.missing()]).toEqual(['cancelTransfer', 'retryTransfers'])
})

const site: LocalTree = {
  folders: [['site'], ['site', 'css'], ['site', 'empty']],
  files: [
    { file: fileOf('index.html', 'hello'), folder: ['site'] },
    { file: fileOf('a.css', 'body'), folder: ['site', 'css'] },
    { file: fileOf('notes', 'mine'), folder: [] },
  ],
}

test('a folder goes up with all that is in it, empty ones too', async () => {
  const { controller, operations, tree } = setup({})
  await controller.browser.go('')
  await operations.upload(site)
  await settle()
  expect([...tree].filter(([path]) => path.startsWith('/srv/site')).toSorted()).toEqual([
    ['/srv/site', null],
    ['/srv/site/css', null],
    ['/srv/site/css/a.css', 'body'],
    ['/srv/site/empty', null],
    ['/srv/site/index.html', 'hello'],
  ])
  expect(tree.get('/srv/notes')).toBe('mine')
  expect(controller.queue.list().map(({ name, state }) => [name, state])).toEqual([
    ['notes', 'done'],
    ['site/index.html', 'done'],
    ['site/css/a.css', 'done'],
  ])
})

test('W-27: a folder whose name is taken is kept beside it or left out, and replaces nothing', async () => {
  const asked: boolean[] = []
  const beside = setup({ '/srv/site': null, '/srv/site/index.html': 'theirs' }, all, {
    async askConflict({ isFolder }) {
      asked.push(isFolder)
      return { choice: 'keep-both', forAll: false }
    },
  })
  await beside.controller.browser.go('')
  await beside.operations.upload(site)
  await settle()
  expect([asked, beside.tree.get('/srv/site/index.html')]).toEqual([[true], 'theirs'])
  expect(beside.tree.get('/srv/site (2)/css/a.css')).toBe('body')
  const skipped = setup({ '/srv/site': 'a file' }, all, { askConflict: async () => ({ choice: 'skip', forAll: true }) })
  await skipped.controller.browser.go('')
  await skipped.operations.upload(site)
  await settle()
  expect([...skipped.tree.keys()]).toEqual(['/srv', '/srv/site', '/srv/notes'])
})

test('a folder comes down with all that is below it; links are said to be left out', async () => {
  const paths = { '/srv/logs': null, '/srv/logs/a': 'one', '/srv/logs/b': null, '/srv/logs/b/c': 'two' }
  const { controller } = setup({ ...paths, '/srv/logs/x.link': '' })
  await controller.browser.go('')
  const tree = await controller.below(controller.browser.current()!)
  expect(tree.hasOthers).toBe(true)
  expect(tree.folders).toEqual([['logs'], ['logs', 'b']])
  const got = new Map<string, string>()
  controller.downloadBelow(tree.files, async (names) => ({
    sink: { write: (bytes) => void got.set(names.join('/'), new TextDecoder().decode(bytes)) },
    end: async () => undefined,
  }))
  await settle()
  expect([...got].toSorted()).toEqual([
    ['logs/a', 'one'],
    ['logs/b/c', 'two'],
  ])
})

test('the line of the CLI names the server so that it is found again', async () => {
  const { controller, operations } = setup({ '/srv/it is.txt': 'x' })
  await controller.browser.go('')
  const entry = controller.browser.current()
  expect(operations.cliLine({ id: 7, name: 'web-1' }, entry)).toBe('qd files get "web-1:/srv/it is.txt"')
  expect(operations.cliLine({ id: 7, name: 'a:b' }, null)).toBe('qd files ls 7:/srv')
})
