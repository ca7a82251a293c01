import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyRow } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { alertRule, cron, type RunItem, server } from '@qd/core/resources'
import { createForm } from '@qd/core/view'
import { createElement } from 'react'
import { afterAll, describe, expect, test } from 'vitest'
import { renderAt } from '../../../../../tests/support/tui/render.tsx'
import { widthOf } from '../../base/output/width.ts'
import { copy } from '../../screen/state/copy.ts'
import { type Overlay, obey, takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { lineWidth, wrapText } from '../../screen/terminal/line.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createFormEditor } from '../form/form-editor.ts'
import { itemRow, outputPane } from '../run/run-lines.ts'
import { createRunSearch } from '../run/run-screen.tsx'
import { createOutputScreen } from './output-screen.tsx'
import { showText } from './text-box.tsx'
import { createTextScroll } from './text-scroll.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const folder = mkdtempSync(join(tmpdir(), 'qd-long-'))
afterAll(() => rmSync(folder, { recursive: true }))
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const none: readonly AnyRow[] = []
const view = { now: 0, all: () => none, find: () => undefined, title: () => null, referring: () => [], trend: () => [] }
let overlay: Overlay | null = null
const written: string[] = []
const ui = {
  io: { now: () => performance.now(), setTimer: (run: () => void) => (run(), () => undefined) },
  workspace: {
    ...translator,
    translator,
    format,
    view,
    settings: { paths: { sessions: join(folder, 'sessions') } },
    surface: () => ({ translator, format, view, viewer }),
  },
  style: plainStyle,
  terminal: { stdout: { write: (text: string) => written.push(text) } },
  say: (text: string) => written.push(text),
  fail: (error: Error) => {
    throw error
  },
  open: (one: Overlay) => {
    overlay = one
  },
} as unknown as Ui

/** The longest output that a server keeps. */
const length = 1024 * 1024
const filled = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
const texts: Readonly<Record<string, string>> = {
  '40,000 lines': filled('some output, 26 signs wide\n'),
  'a million empty lines': filled('\n'),
  'one word without end': filled('a'),
  'one line of words': filled('word '),
  'one line of Chinese': filled('服务器'),
  'Tamil words': filled('சேவையகங்கள் '),
  'lines of emoji': filled('👩‍🚀👩‍🚀👩‍🚀 up\n'),
  'marks upon marks': `a${filled('\u0301')}`,
  'control characters': filled('\u001b[31m\u0007\r'),
  'JSON brackets': filled('['),
  quotes: filled('"'),
  conditions: filled('cpu > 90 for 30s on only web-1\n'),
  'nearly a condition': `cpu > 90 for ${filled('9 ')}x`,
}

const outputScreen = (output: string) =>
  createOutputScreen(ui, {
    title: 'web-1',
    output: () => ({ output, cut_bytes: 0 }),
    isOpen: () => false,
    statusLine: () => [],
    enter: () => () => undefined,
  })

/** What some code did, however long it took. */
interface Work {
  /** How often a piece of our own code was run: each function, and each branch and loop within. */
  readonly steps: number
  /** Characters of the long texts that the language's own functions went through. */
  readonly characters: number
}

const read = ['split', 'replace', 'replaceAll', 'match', 'matchAll', 'search', 'trim', 'normalize', 'indexOf'] as const
const long = 1000

/** Counts the work of what is called, with V8's own counters. */
function createWorkCounter(): { count(run: () => void): Work; close(): void } {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const taken = () => {
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result)
        if (url.includes('/src/') && !url.includes('/node_modules/'))
          for (const { ranges } of functions) for (const range of ranges) steps += range.count
    })
    return steps
  }
  return {
    count(run) {
      let characters = 0
      const texts = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>
      const own = read.map((name) => [name, texts[name]!] as const)
      for (const [name, method] of own)
        texts[name] = function (this: string, ...args) {
          if (this.length > long) characters += this.length
          return method.apply(this, args)
        }
      taken()
      try {
        run()
      } finally {
        for (const [name, method] of own) texts[name] = method
      }
      return { steps: taken(), characters }
    },
    close: () => session.disconnect(),
  }
}

/** A key may go through the whole text this often. Breaking all of it into rows takes more. */
const maxPasses = 3
const counter = createWorkCounter()
afterAll(() => counter.close())

describe.each(Object.entries(texts))(
  'issue 10.20: 1 MiB of %s never keeps the keyboard: at most three passes of it for a key',
  (_name, text) => {
    const quick = (what: string, run: () => void) => {
      const { steps, characters } = counter.count(run)
      expect(steps, `steps: ${what}`).toBeLessThan(maxPasses * length)
      expect(characters, `characters: ${what}`).toBeLessThan(maxPasses * length)
    }

    test('scrolled through, to its end and back, at 80 and at 200 columns', () => {
      let screen = outputScreen(text)
      quick('opened', () => {
        screen = outputScreen(text)
      })
      for (const columns of [80, 200]) {
        const shown = <screen.View />
        const terminal = renderAt(null, { ui, columns, rows: 24 })
        const draw = () => terminal.draw(shown)
        quick('drawn', draw)
        for (const command of ['next', 'pageDown', 'last', 'previous', 'pageUp', 'first', 'next'] as const)
          quick(command, () => {
            obey(screen, { command } as never)
            draw()
          })
        for (const row of terminal.lines()) expect(widthOf(row)).toBeLessThanOrEqual(columns)
        expect(terminal.lines().length).toBeLessThanOrEqual(24)
        terminal.close()
      }
    })

    test('in a run: its last lines, and found by a word', () => {
      const item = {
        server_id: 1,
        server_name: 'web-1',
        state: 'success',
        output: text,
        lines: 7,
        cut_bytes: 0,
      } as RunItem
      quick(
        'row',
        () => void itemRow(ui, { ...item, exit_code: 0, duration_ms: 5 }, { columns: 120, longest: 40, focused: true }),
      )
      quick('pane', () => void outputPane(ui, { ...item, exit_code: 0, duration_ms: 5 }, { columns: 120, rows: 14 }))
      quick('search', () => {
        const waits = { now: ui.io.now, setTimer: () => () => undefined }
        const search = createRunSearch(waits, translator)
        search.matching(
          Array.from({ length: 200 }, () => ({ ...item })),
          'nowhere',
        )
      })
    })

    test('copied, told, shown in a box', () => {
      quick('copied', () => copy(ui, text))
      quick('box', () => {
        showText(ui, { title: 'Text', help: 'Help', text, close: 'Close', isOnce: false })
      })
      const screen = renderAt(null, { ui })
      quick('box drawn', () => screen.draw(createElement(overlay!.View)))
      expect(screen.lines().length).toBeLessThanOrEqual(24)
      screen.close()
      expect(written.every((one) => one.length < 110_000)).toBe(true)
    })

    test.each([
      [server, 'name'],
      [server, 'note'],
      [cron, 'command'],
      [cron, 'scheduler'],
      [alertRule, 'rules'],
    ] as const)('pasted into a field', (resource, field) => {
      const model = createForm({ resource, mode: 'create', row: null, view, viewer, translator })
      const editor = createFormEditor(ui, model)
      const names = model.groups().flatMap((group) => group.fields.map((one) => one.field))
      for (const name of names.slice(0, names.indexOf(field))) takeKey(editor, { type: 'key', chord: name && 'Tab' })
      const before = model.text(field)
      quick('pasted', () => takeKey(editor, { type: 'paste', text }))
      // Taken as it is, or refused with a word: never in part.
      const kept = model.text(field)
      expect([before, text, text.trim()].includes(kept), `${kept.length}`).toBe(true)
      quick('drawn', () => void editor.lay({ columns: 80, rows: 24 }))
      quick('drawn wide', () => void editor.lay({ columns: 160, rows: 40 }))
      quick('typed on', () => takeKey(editor, { type: 'key', chord: 'x' }))
      quick('saved', () => void editor.submit())
    })
  },
)

test('a text that is broken into rows for each key, and one that is read for each row, are counted as too much', () => {
  const text = texts['one line of words']!
  const most = maxPasses * length
  expect(counter.count(() => [78, 198].map((columns) => wrapText(text, columns))).steps).toBeGreaterThan(most)
  expect(counter.count(() => Array.from({ length: 24 }, () => text.split('\n'))).characters).toBeGreaterThan(most)
})

test('a line that is too long for a row is broken where the row is full, whatever it is made of', () => {
  for (const text of ['服务器'.repeat(50), '👩‍🚀'.repeat(50), 'a'.repeat(300)]) {
    const rows = wrapText(text, 20)
    expect(rows.join('')).toBe(text)
    expect(rows.every((row) => lineWidth([{ text: row, roles: [] }]) <= 20)).toBe(true)
  }
})

test('scrolling shows every row once, in order, and the end stays the end', () => {
  const lines = [
    'first',
    'x'.repeat(9000),
    '数'.repeat(5000),
    ...Array.from({ length: 60 }, (_, at) => `${at} ${'word '.repeat(at)}`),
  ]
  const height = 10
  const scroll = createTextScroll(lines, { isAtEnd: false })
  scroll.resize(78, height)
  const seen = scroll.rows()
  for (let rows = seen; rows.length > 0; ) {
    const before = JSON.stringify(rows)
    scroll.scroll(1)
    rows = scroll.rows()
    if (JSON.stringify(rows) === before && seen.at(-1)!.line === lines.length - 1) break
    seen.push(rows.at(-1)!)
  }
  const textOf = (line: number) =>
    seen.flatMap((row) => (row.line === line ? row.text.trim() : [])).join(line < 3 ? '' : ' ')
  expect(lines.map((_, line) => textOf(line))).toEqual(lines.map((line) => line.trim()))
  const end = scroll.rows()
  scroll.scroll(-3)
  scroll.scroll(99)
  expect(scroll.rows()).toEqual(end)
  scroll.first()
  expect(scroll.rows()[0]!.text).toBe('first')
})
