import type { AnyRow, View } from '@qd/core/define'
import { cron, server } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { optionsFor, type RefField, readPasted, takenByEnter } from './refs-search.ts'

const names = ['web-1', 'web-2', 'db-1', 'lab 4']
const rows: Partial<Record<string, readonly AnyRow[]>> = {
  server: names.map((name, index) => server.read.parse({ id: index + 1, name, uuid: `u${index}` })),
  'server-group': [{ id: 7, name: 'web', servers: [1, 2] }],
}
const view: View = {
  now: 0,
  all: (name) => rows[name] ?? [],
  find: (name, id) => rows[name]?.find((row) => row.id === id),
  title: (name, id) => (rows[name]?.find((row) => row.id === id)?.name as string | undefined) ?? null,
  referring: (name, field, id) =>
    (rows[name] ?? []).flatMap((row) => ((row[field] as number[]).includes(id) ? [row.id] : [])),
  trend: () => [],
}
const many = { kind: 'refs', to: 'server' } satisfies RefField
const options = (typed: string, chosen: readonly number[] = []) =>
  optionsFor(server, { typed, chosen: new Set(chosen), many: true, view })
const enter = (typed: string) => takenByEnter(many, { typed, options: options(typed), fieldName: 'servers', view })

describe('options', () => {
  test('groups come before single records, all that match before both', () => {
    expect(options('').map(({ kind, ids }) => [kind, ids])).toEqual([
      ['group', [1, 2]],
      ['record', [1]],
      ['record', [2]],
      ['record', [3]],
      ['record', [4]],
    ])
    expect(options('web').map(({ kind, ids }) => [kind, ids])).toEqual([
      ['all', [1, 2]],
      ['group', [1, 2]],
      ['record', [1]],
      ['record', [2]],
    ])
  })
  test('what is chosen is not offered again', () => {
    expect(options('web', [1]).map(({ kind, ids }) => [kind, ids])).toEqual([
      ['group', [1, 2]],
      ['record', [2]],
    ])
    expect(options('web', [1, 2])).toEqual([])
  })
  test('a field that the server doesn’t support groups nothing', () => {
    const withTask: View = { ...view, all: () => [cron.read.parse({ id: 5, name: 'rotate' })], supports: () => false }
    const tasks = optionsFor(cron, { typed: '', chosen: new Set(), many: true, view: withTask })
    expect(tasks.map(({ kind, ids }) => [kind, ids])).toEqual([['record', [5]]])
  })
  test('a filter that makes no sense finds nothing, not everything', () => {
    expect(options('nonsense:web')).toEqual([])
  })
})

describe('Enter', () => {
  test.each([
    ['a name', 'db-1', [3]],
    ['several names', 'db-1, web-2', [3, 2]],
    ['an id', '4', [4]],
    ['a group as a term', 'group:web', [1, 2]],
    ['the one that matches', 'db', [3]],
    ['several that match by a word', 'we', null],
    ['nothing', 'zebra', null],
  ])('takes %s', (_what, typed, ids) => {
    expect(enter(typed)).toEqual(ids)
  })
})

describe('pasted', () => {
  const read = (text: string) => readPasted(many, text, { fieldName: 'servers', view })
  test.each([
    ['1 2\n3', [1, 2, 3]],
    ['1;2', [1, 2]],
    ['web-1\nlab 4', [1, 4]],
    ['web-1, #3', [1, 3]],
  ])('%j', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value })
  })
  test('an unknown name is named', () => {
    expect(read('web-1\nzebra')).toMatchObject({ ok: false, problem: { params: { name: 'zebra' } } })
  })
})
