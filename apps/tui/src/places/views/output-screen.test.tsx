import { afterEach, expect, test } from 'vitest'
import { eventsOf } from '../../../../../tests/support/tui/keys.ts'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { keysHere } from '../../screen/state/actions.ts'
import { obey } from '../../screen/state/screen.ts'
import { createKeyDecoder } from '../../screen/terminal/keys.ts'
import { line } from '../../screen/terminal/line.ts'
import { rowsOfLine } from '../logs/logs-screen.ts'
import { createOutputScreen, partedLine } from './output-screen.tsx'
import { createTextScroll } from './text-scroll.ts'

let screen: Rendered
afterEach(() => screen.close())

const text = Array.from({ length: 40 }, (_, at) =>
  `line ${at} ${at % 10 === 0 ? 'marked ' : ''}${'word '.repeat(12)}`.trim(),
).join('\n')

function open(columns: number, { isOpen = false, output: begun = text } = {}) {
  const { ui } = createTestTasks(0)
  let now = { output: begun, cut_bytes: 0, isOpen }
  const output = createOutputScreen(ui, {
    title: 'web-1',
    output: () => now,
    isOpen: () => now.isOpen,
    statusLine: () => line(now.isOpen ? ' running' : ' success, exit 0'),
    enter: () => () => undefined,
  })
  const keys = () => keysHere({ ...ui, screen: output })
  const shown = <output.View />
  const draw = () => screen.draw()
  screen = renderAt(shown, { columns, rows: 10, ui })
  const decoder = createKeyDecoder()
  const type = (bytes: string) => {
    for (const event of eventsOf(decoder, bytes)) {
      const binding = keys().find(({ chord }) => event.type === 'key' && chord === event.chord)
      if (output.isTyping?.() || !binding) output.input?.(event)
      else obey(output, binding)
      draw()
    }
  }
  const run = (command: string) => {
    obey(output, { command } as never)
    draw()
  }
  const become = (changes: Partial<typeof now>) => {
    now = { ...now, ...changes }
    draw()
  }
  const more = (count: number) => {
    const from = now.output.split('\n').length
    become({ output: `${now.output}${Array.from({ length: count }, (_, at) => `\nmore ${from + at}`).join('')}` })
  }
  return { run, type, keys, become, more, output, draw }
}

test.each([40, 80, 120, 200])('an output at %i columns begins at its end, whole', (columns) => {
  const { run } = open(columns)
  const rows = screen.lines()
  expect(rows).toHaveLength(10)
  expect(rows.every((row) => row.length <= columns)).toBe(true)
  expect(rows.join('').replaceAll(' ', '')).toContain(`line39${'word'.repeat(12)}`)
  run('first')
  expect(screen.lines()[0]).toMatch(/^ line 0 marked/)
})

test('a number before G goes to that line of the text, however many rows the lines before it take', () => {
  const { output, draw } = open(40)
  output.goToRow!(11)
  draw()
  expect(screen.lines()[0]).toMatch(/^ line 10 marked/)
  output.goToRow!(9999)
  draw()
  expect(screen.lines().some((row) => row.startsWith(' line 39'))).toBe(true)
})

test('an output whose end is in sight is still at its end in a smaller window, one that was scrolled back stays there', () => {
  const lines = text.split('\n')
  const view = createTextScroll(lines, { isAtEnd: true })
  const first = () => view.rows()[0]!.line
  view.resize(200, 10)
  view.resize(200, 60)
  expect(first()).toBe(0)
  view.resize(60, 10)
  expect([view.isAtEnd(), view.rows().at(-1)!.line]).toEqual([true, 39])
  view.scroll(-20)
  const back = first()
  view.resize(60, 20)
  view.resize(60, 10)
  expect(first()).toBe(back)
  const report = createTextScroll(lines, { isAtEnd: false })
  report.resize(200, 60)
  report.resize(200, 10)
  expect(report.rows()[0]!.line).toBe(0)
})

test('a word is searched while it is typed, and found again with n and N', () => {
  const { run, type } = open(80)
  run('first')
  run('filter')
  type('marked')
  expect(screen.lines()[0]).toContain('marked▁')
  type('\r')
  const first = () => screen.lines().find((row) => row.startsWith(' line'))
  const found = first()
  type('n')
  expect(first()).not.toBe(found)
  type('N')
  expect(first()).toBe(found)
})

const last = () => screen.lines().at(-1)!
const body = () => screen.lines().slice(0, -1)

test.each([40, 80, 120, 200])(
  'issue 18: what comes while a command runs is followed at %i columns, and its end is said',
  (columns) => {
    const { more, become, output } = open(columns, { isOpen: true })
    expect(last()).toMatch(/^ running +Following *$/)
    more(3)
    expect(body().at(-1)).toBe(' more 42')
    more(100)
    expect(body().at(-1)).toBe(' more 142')
    expect(output.count?.(false)).toBe('143 lines')
    become({ isOpen: false })
    expect(last()).toMatch(/^ success, exit 0 *$/)
    expect(body().at(-1)).toBe(' more 142')
    expect(screen.lines().every((row) => row.length <= columns)).toBe(true)
  },
)

test('one who scrolls stays where they are, a mark says how much came, G and F follow again', () => {
  const { more, run, type } = open(80, { isOpen: true })
  run('pageUp')
  const place = body()
  more(7)
  expect(body()).toEqual(place)
  expect(last()).toMatch(/^ running +↓ 7 more lines, G to the end *$/)
  more(1)
  expect(body()).toEqual(place)
  expect(last()).toContain('8 more lines')
  run('last')
  expect(body().at(-1)).toBe(' more 47')
  expect(last()).toContain('Following')
  more(1)
  expect(body().at(-1)).toBe(' more 48')
  run('previous')
  more(2)
  expect(last()).toContain('2 more lines')
  type('F')
  expect(body().at(-1)).toBe(' more 50')
  // To the end by hand is no following: the next line waits below.
  run('previous')
  run('next')
  more(1)
  expect(body().at(-1)).toBe(' more 50')
  expect(last()).toContain('1 more line,')
  type('x')
  expect(body().at(-1)).toBe(' more 50')
})

test('what is searched is found in what came later too, in order, and the place stays', () => {
  const { more, run, type } = open(80, { isOpen: true, output: 'needle 1\nhay\nhay' })
  run('filter')
  type('more')
  type('\r')
  expect(screen.lines()[0]).toContain('0/0')
  more(40)
  const place = body().slice(1)
  expect(screen.lines()[0]).toContain('0/40')
  type('n')
  expect(screen.lines()[0]).toContain('1/40')
  type('n')
  expect(screen.lines()[0]).toContain('2/40')
  more(5)
  expect(screen.lines()[0]).toContain('2/45')
  expect(place).not.toEqual(body())
  type('N')
  type('N')
  expect(screen.lines()[0]).toContain('45/45')
  expect(body().join()).toContain('more 47')
})

test('an output that begins with nothing, one cut by the server, lines without end', () => {
  const { become } = open(40, { isOpen: true, output: '' })
  expect(last()).toContain('Following')
  become({ output: 'first' })
  expect(body()[0]).toBe(' first')
  become({ output: `first ${'x'.repeat(9000)}` })
  expect(body().at(-1)).toMatch(/^ x+$/)
  become({ output: `first ${'x'.repeat(9000)}\nlast`, cut_bytes: 12, isOpen: false })
  expect(body().slice(-2)).toEqual([' last', ' 12 bytes cut'])
  become({ output: 'replaced', cut_bytes: 0 })
  expect(body()[0]).toBe(' replaced')
})

test('issue 18: the keys of an output are those that it obeys: no marks, no filters, no order, no actions of the run', () => {
  const { keys, output } = open(80)
  const groups = ['list', 'rows', 'files', 'charts']
  const here = keys().filter(({ group, layers }) => groups.includes(group) && layers.includes('page'))
  expect(new Set(here.map(({ chord }) => chord))).toEqual(
    new Set([
      ...['j', 'ArrowDown', 'k', 'ArrowUp', 'Home', 'g g', 'End', 'G', 'PageDown', 'Ctrl+f', 'PageUp', 'Ctrl+b'],
      ...['Ctrl+d', 'Ctrl+u', '/', 'n', 'N', 'y', 'F'],
    ]),
  )
  for (const binding of here.filter(({ command }) => command !== 'copyMenu')) {
    expect(obey(output, binding), binding.command).toBe(true)
  }
})

test('log lines of several servers have the server’s name in its color, without a change of the text', () => {
  const entry = { at: 0, unit: '', name: 'nginx', pid: 12, level: 4, text: 'web-1 slow\nmore', server: 'web-1' }
  const text = { time: '2026-11-28 09:00:00', server: 'web-1', by: 'nginx[12]', lines: ['web-1 slow', 'more'] }
  const rowsOf = (server_id: number, isMany: boolean) =>
    rowsOfLine({ ...entry, server_id }, text, isMany).map((row) => partedLine(` ${row.text}`, row.role, row.part))
  expect(rowsOf(1, true)).toEqual([
    [
      { text: ' 2026-11-28 09:00:00 ', roles: ['warnWord'] },
      { text: 'web-1', roles: ['line2'] },
      { text: ' nginx[12]: web-1 slow', roles: ['warnWord'] },
    ],
    [{ text: '   more', roles: ['warnWord'] }],
  ])
  expect(rowsOf(2, true)[0]?.[1]?.roles).not.toEqual(rowsOf(1, true)[0]?.[1]?.roles)
  expect(rowsOf(1, false)[0]).toEqual([{ text: ' 2026-11-28 09:00:00 nginx[12]: web-1 slow', roles: ['warnWord'] }])
})
