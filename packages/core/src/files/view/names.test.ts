import { expect, test } from 'vitest'
import type { FolderEntry } from './folder-order.ts'
import { type Conflict, type ConflictAnswer, freeName, settleNames } from './names.ts'

test('a name beside the taken ones keeps its ending', () => {
  expect(freeName('a.txt', new Set(['a.txt', 'a (2).txt']))).toBe('a (3).txt')
  expect(freeName('.env', new Set(['.env']))).toBe('.env (2)')
  expect(freeName('new', new Set())).toBe('new')
})

const folder: readonly FolderEntry[] = [
  { name: 'a', kind: 'file' },
  { name: 'b', kind: 'file' },
  { name: 'dir', kind: 'folder' },
]
async function settled(names: readonly string[], answers: readonly ConflictAnswer[]) {
  const asked: Conflict[] = []
  const result = await settleNames(names, folder, async (conflict) => {
    asked.push(conflict)
    return answers[asked.length - 1] ?? null
  })
  return { result, asked }
}

test('W-27: each taken name is asked about once, and an answer can be for all', async () => {
  const { result, asked } = await settled(['new', 'a', 'b'], [{ choice: 'replace', forAll: true }])
  expect(result).toEqual(['new', 'a', 'b'])
  expect(asked).toEqual([{ name: 'a', isFolder: false, more: 1 }])
  const each = await settled(
    ['a', 'b'],
    [
      { choice: 'skip', forAll: false },
      { choice: 'keep-both', forAll: false },
    ],
  )
  expect(each.result).toEqual([null, 'b (2)'])
})

test('a folder is never replaced by "for all"', async () => {
  const { asked } = await settled(
    ['a', 'dir'],
    [
      { choice: 'replace', forAll: true },
      { choice: 'skip', forAll: false },
    ],
  )
  expect(asked.map(({ name }) => name)).toEqual(['a', 'dir'])
})

test('two files of one name do not become one', async () => {
  const { result } = await settled(['new', 'new'], [{ choice: 'keep-both', forAll: false }])
  expect(result).toEqual(['new', 'new (2)'])
})

test('giving up sends nothing', async () => {
  expect((await settled(['a', 'new'], [null])).result).toBeNull()
})
