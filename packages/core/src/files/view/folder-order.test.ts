import { describe, expect, test } from 'vitest'
import { type FolderEntry, filterFolder, findByName, orderFolder } from './folder-order.ts'

const entry = (name: string, isFolder = false): FolderEntry => ({ name, kind: isFolder ? 'folder' : 'file' })
const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name)

test('W-23: folders stand first, then names as people count', () => {
  const entries = [entry('web-10.log'), entry('zoo', true), entry('web-2.log'), entry('Alpha', true), entry('.hidden')]
  expect(names(orderFolder(entries))).toEqual(['Alpha', 'zoo', '.hidden', 'web-2.log', 'web-10.log'])
})

describe('filter', () => {
  const entries = ['access.log', 'access.log.1.gz', 'Error.log', 'notes'].map((name) => entry(name))
  test.each([
    ['log', ['access.log', 'access.log.1.gz', 'Error.log']],
    ['ERR', ['Error.log']],
    ['log gz', ['access.log.1.gz']],
    ['*.log', ['access.log', 'Error.log']],
    ['a*log*gz', ['access.log.1.gz']],
    ['  ', ['access.log', 'access.log.1.gz', 'Error.log', 'notes']],
    ['x*', []],
  ])('%j leaves %j', (filter, left) => {
    expect(names(filterFolder(entries, filter))).toEqual(left)
  })
})

test('W-23: type-ahead goes to a name that begins so, from the cursor on and round again, else to one that holds it', () => {
  const entries = ['alpha', 'beta', 'bravo', 'zeta'].map((name) => entry(name))
  expect(findByName(entries, 'b')).toBe(1)
  expect(findByName(entries, 'b', 2)).toBe(2)
  expect(findByName(entries, 'b', 3)).toBe(1)
  expect(findByName(entries, 'ETA')).toBe(1)
  expect(findByName(entries, 'eta', 2)).toBe(3)
  expect(findByName(entries, 'q')).toBeNull()
  expect(findByName(entries, '')).toBeNull()
  expect(findByName([], 'a')).toBeNull()
})

test('W-22: 50,000 entries are put in order and filtered', () => {
  const entries = Array.from({ length: 50_000 }, (_, index) =>
    entry(`file-${(index * 7919) % 50_000}.log`, index % 9 === 0),
  )
  const ordered = orderFolder(entries)
  expect(filterFolder(ordered, '4999').length).toBeGreaterThan(4)
  expect(ordered[0]!.name).toBe('file-0.log')
})
