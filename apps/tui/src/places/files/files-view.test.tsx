import { AppError } from '@qd/core/errors'
import type { FileEntry, Transfer } from '@qd/core/files'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import type { Ui } from '../../screen/state/ui.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { createTextScroll } from '../views/text-scroll.ts'
import { filesLines } from './files-lines.ts'
import type { FilesState, ShownPreview } from './files-state.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const ui = { look: plainStyle, io: { now: () => 0 }, workspace: { ...translator, translator, format } } as unknown as Ui
let screen: Rendered
afterEach(() => screen.close())

const entries: readonly FileEntry[] = [
  { name: 'logs', kind: 'folder', modified: 0 },
  ...Array.from(
    { length: 40 },
    (_, at): FileEntry => ({ name: `app-${at}.log`, kind: 'file', size: 2048, modified: 0 }),
  ),
]
const transfer = (changes: Partial<Transfer>): Transfer =>
  ({
    id: 1,
    name: 'a.iso',
    direction: 'upload',
    state: 'running',
    size: 100,
    moved: 25,
    error: null,
    result: null,
    ...changes,
  }) as Transfer

interface Given {
  readonly preview?: ShownPreview
  readonly transfers?: readonly Transfer[]
  readonly cursor?: number
  /** What another folder than `/var` is like. */
  readonly folder?: object
}

function open(
  size: { columns: number; rows: number },
  { preview, transfers = [], cursor = 1, folder: other = {} }: Given = {},
) {
  const folder = {
    shown: entries,
    entries,
    cursor,
    marks: new Set(['app-3.log']),
    status: 'ready',
    filter: '',
    path: '/var',
    error: null,
    refused: null,
    ...other,
  }
  const queue = {
    list: () => transfers,
    total: () => ({ done: transfers.length - 1, count: transfers.length }),
    pace: () => ({ rate: 5, leftMs: 15_000, stalled: false }),
  }
  const state = {
    preview: preview ?? null,
    controller: { browser: { state: () => folder }, queue },
  } as unknown as FilesState
  const topIn = (rows: number) => Math.max(0, cursor - rows + 1)
  screen = renderAt(<LiveRows lines={(area) => filesLines(ui, state, null, area, topIn)} />, { ...size, ui })
  return screen.lines()
}

test.each([
  [40, false],
  [80, true],
  [120, true],
  [200, true],
])('W-19 a folder at %i columns', (columns, hasFigures) => {
  const rows = open({ columns, rows: 12 })
  expect(rows).toHaveLength(12)
  expect(rows.every((row) => row.length <= columns)).toBe(true)
  expect(rows[1]).toMatch(/^ {4}logs\//)
  expect(rows[2]).toMatch(/^ ▌ {2}app-0\.log/)
  expect(rows[5]).toMatch(/^ {2}✓ app-3\.log/)
  expect(/2(\.0)? KiB/.test(rows[2]!)).toBe(hasFigures)
})

test('a folder that was never read says why, not that it is empty', () => {
  const unread = { shown: [], entries: [], status: 'failed', path: '', error: new AppError('cancelled') }
  const rows = open({ columns: 80, rows: 12 }, { cursor: -1, folder: unread })
  expect(rows[0]).toMatch(/^ FM Error: \S/)
  expect(rows.join()).not.toContain('empty')
  screen.close()
  const read = open({ columns: 80, rows: 12 }, { cursor: -1, folder: { shown: [], entries: [] } })
  expect(read[1]).toBe(' This folder is empty')
})

test('the cursor is in sight, transfers stand below and take their rows', () => {
  const transfers = [
    transfer({}),
    transfer({ id: 2, name: 'b.iso', state: 'done' }),
    transfer({ id: 3, name: 'c.iso', state: 'waiting' }),
  ]
  const rows = open({ columns: 80, rows: 12 }, { transfers, cursor: 30 })
  expect(rows).toHaveLength(12)
  expect(rows[7]).toMatch(/^ ▌ {2}app-29\.log/)
  expect(rows.slice(8)).toEqual([
    expect.stringMatching(/^─ .* 2 .*3/),
    expect.stringMatching(/^ ↑ a\.iso +25.*/),
    expect.stringMatching(/^ ✓ b\.iso/),
    expect.stringMatching(/^ · c\.iso/),
  ])
})

test('W-28: of an upload that broke it says that a part of the file is on the server', () => {
  const broken = transfer({ state: 'failed', error: new AppError('cancelled') })
  expect(open({ columns: 120, rows: 12 }, { transfers: [broken] }).at(-1)).toContain('file on the server is incomplete')
  screen.close()
  const never = open({ columns: 120, rows: 12 }, { transfers: [transfer({ ...broken, moved: 0 })] })
  expect(never.at(-1)).not.toContain('incomplete')
})

test('a file that is loaded at takes the rows of its folder', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  const text = lines.join('\n')
  const preview: ShownPreview = {
    entry: entries[1]!,
    path: '/var/app-0.log',
    loaded: { preview: { kind: 'text', text, isWhole: true }, size: 200 } as ShownPreview['loaded'],
    scroll: createTextScroll(lines, { isAtEnd: true }),
    error: null,
    isFollowing: true,
  }
  const rows = open({ columns: 60, rows: 8 }, { preview })
  expect(rows[0]).toMatch(/^ app-0\.log .*200 B/)
  expect(rows.slice(1)).toEqual(lines.slice(-7).map((line) => ` ${line}`))
})

test.each([
  ['picture', ' A terminal can’t show this image. Download it to view it.'],
  ['binary', ' No preview for this type of file'],
  ['empty', ' This file is empty'],
])('of a file that is %s it says why nothing is seen', (kind, said) => {
  const preview: ShownPreview = {
    entry: entries[1]!,
    path: '/var/app-0.log',
    loaded: { preview: { kind, type: 'image/png', bytes: new Uint8Array(3) }, size: 3 } as ShownPreview['loaded'],
    scroll: createTextScroll([], { isAtEnd: true }),
    error: null,
    isFollowing: false,
  }
  expect(open({ columns: 60, rows: 4 }, { preview })[1]).toBe(said)
})
