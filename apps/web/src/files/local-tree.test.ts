import { expect, test } from 'vitest'
import { droppedTree } from './local-tree.ts'

const file = (name: string, text: string) => ({
  isDirectory: false,
  name,
  file: (done: (file: File) => void) => done(new File([text], name)),
})
/** A browser hands a folder's entries out in portions. */
const folder = (name: string, ...entries: object[]) => ({
  isDirectory: true,
  name,
  createReader: () => ({ readEntries: (done: (some: object[]) => void) => done(entries.splice(0, 1)) }),
})
const dropOf = (...entries: object[]) =>
  ({
    items: entries.map((entry) => ({
      kind: 'file',
      webkitGetAsEntry: () => entry,
      getAsFile: () => ('file' in entry ? new File(['own'], String((entry as { name?: string }).name)) : null),
    })),
  }) as object as DataTransfer

test('W-26: what is dropped goes with all that is in its folders', async () => {
  const dropped = droppedTree(
    dropOf(
      file('notes', ''),
      folder('site', file('index.html', 'hello'), folder('css', file('a.css', 'body')), folder('empty')),
    ),
  )
  expect(dropped.isEmpty).toBe(false)
  const { files, folders } = await dropped.read()
  expect(folders).toEqual([['site'], ['site', 'css'], ['site', 'empty']])
  expect(files.map(({ file: { name, size }, folder: at }) => [...at, name, size])).toEqual([
    ['notes', 3],
    ['site', 'index.html', 5],
    ['site', 'css', 'a.css', 4],
  ])
  expect(new TextDecoder().decode(await files[1]!.file.read(1, 3))).toBe('ell')
})

test('a drop of text is no drop of files', () => {
  const items = [{ kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null }]
  expect(droppedTree({ items } as object as DataTransfer).isEmpty).toBe(true)
})
