import { observable } from '@legendapp/state'
import type { AnyRow } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { widthOf } from '../../base/output/width.ts'
import { keysHere } from '../../screen/state/actions.ts'
import { obey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { asciiText } from '../../screen/terminal/ascii.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createCompareScreen } from './compare-screen.tsx'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const now = Date.parse('2026-03-02T12:00:00Z')
const hour = 3_600_000

let screen: Rendered
afterEach(() => screen.close())

interface Fleet {
  readonly count: number
  readonly nameOf?: (id: number) => string
  readonly offline?: readonly number[]
  /** The figure of a server at so much of the range; null: nothing was measured. */
  readonly figureOf?: (id: number, part: number) => number | null
}

/** A comparison of all servers of a fleet that is not there, at that size. */
async function open(size: { columns: number; rows: number }, fleet: Fleet) {
  const { count, nameOf = (id) => `web-${id}`, offline = [], figureOf = (id) => id * 10 } = fleet
  const rows = new Map<number, AnyRow>(
    Array.from({ length: count }, (_, at) => [
      at + 1,
      {
        id: at + 1,
        name: nameOf(at + 1),
        host: { mem_total: 100 },
        state: {},
        watched: {},
        geoip: {},
        last_seen_at: null,
        last_active: offline.includes(at + 1) ? '2026-03-02T11:00:00Z' : new Date(now).toISOString(),
      },
    ]),
  )
  const asked: Readonly<Record<string, unknown>>[] = []
  const opened: unknown[] = []
  const title = (_name: string, id: number) => rows.get(id)?.name ?? null
  const view = { now, all: () => [], find: () => undefined, title, referring: () => [], trend: () => [] }
  const ui = {
    style: plainStyle,
    io: { now: () => now, setTimer: () => () => undefined },
    places: { openRecord: (...place: unknown[]) => opened.push(place) },
    workspace: {
      ...translator,
      ...{ translator, format, view, readOnly: false },
      records: {
        peek: (_name: string, id: number) => rows.get(id),
        watch: () => () => undefined,
        list$: () => observable({}),
      },
      client: {
        async send({ query }: { query: Record<string, string | number> }) {
          asked.push(query)
          const { from, to } = query as { from: number; to: number }
          const points = (id: number) =>
            Array.from({ length: 60 }, (_, at) => {
              const value = figureOf(id, at / 60)
              return value === null ? [] : [[from + (at * (to - from)) / 60, value, value, value, value]]
            }).flat()
          const ids = String(query.servers).split(',').map(Number)
          return {
            step_ms: (to - from) / 60,
            series: ids.map((id) => ({ server_id: id, metric: query.metric, points: points(id) })),
          }
        },
      },
      surface: () => ({ translator, format, view, viewer }),
      surroundings: () => ({ viewer, view, supports: () => true }),
      session: { viewer: () => viewer, supports: () => true },
    },
  } as unknown as Ui
  const page = createCompareScreen(ui, [...rows.keys()])
  const shown = <page.View />
  const draw = () => screen.draw()
  screen = renderAt(shown, { ...size, ui })
  page.enter()
  const answered = async () => {
    await new Promise(setImmediate)
    draw()
  }
  await answered()
  const run = async (command: string) => {
    obey(page, { command, action: null } as never)
    await answered()
  }
  return { page, run, asked, rows, draw }
}

const text = () => screen.lines().join('\n')
const legend = () => screen.lines().filter((row) => /^[▌ ][●▲■○◆] /.test(row))

test.each([40, 60, 80, 120, 200])(
  'three servers over each other at %i columns: a sign for each, its name and figures',
  async (columns) => {
    await open({ columns, rows: 20 }, { count: 3 })
    const rows = screen.lines()
    expect(rows).toHaveLength(20)
    expect(rows.every((row) => widthOf(row) <= columns)).toBe(true)
    expect(rows[0]).toMatch(/^─ CPU ─/)
    expect(rows[0]).toContain('‹1 h›')
    expect(rows[1]).toMatch(/^ ‹CPU› {2}Memory/)
    expect(legend().map((row) => row.slice(0, 8))).toEqual(['▌● web-1', ' ▲ web-2', ' ■ web-3'])
    expect(legend()[1]).toContain('20%')
    if (columns >= 60) expect(legend()[1]).toContain('mean 20%, peak 20%')
    // Each line lies at its height: the third above the second above the first.
    const at = ['■', '▲', '●'].map((sign) => rows.slice(2, 16).findIndex((row) => row.includes(sign)))
    expect(at).toEqual([...at].sort((a, b) => a - b))
    expect(new Set(at).size).toBe(3)
    expect(rows.some((row) => /^ +100%│/.test(row))).toBe(true)
    expect(text()).toContain('11:00')
  },
)

test('issue 18: names win over figures: whole up to 24 cells at 80 columns and 40 at 120, cut in the middle beyond', async () => {
  const long = `${'a'.repeat(38)}${'z'.repeat(38)}`
  const nameOf = (id: number) => (id === 1 ? 'n'.repeat(24) : long)
  await open({ columns: 40, rows: 20 }, { count: 2, nameOf })
  expect(legend()[0]).toContain('n'.repeat(24))
  expect(legend()[1]).toMatch(/a{11,}…z{11,} /)
  screen.close()
  await open({ columns: 120, rows: 20 }, { count: 2, nameOf })
  expect(legend()[1]).toMatch(/a{19,}…z{19,} /)
})

test('lines that meet take turns, so that none hides another; the one in front is joined', async () => {
  await open({ columns: 80, rows: 20 }, { count: 2, figureOf: () => 50 })
  expect(text()).toMatch(/│(●▲){30,}/)
  screen.close()
  await open({ columns: 80, rows: 20 }, { count: 2, figureOf: (id, part) => (id === 1 ? (part < 0.5 ? 5 : 95) : 50) })
  const joined = () => screen.lines().filter((row) => /│.*│/.test(row)).length
  expect(joined()).toBeGreaterThan(5)
})

test('names of metrics are whole, and dots stand where there are more of them', async () => {
  const { run } = await open({ columns: 80, rows: 20 }, { count: 1 })
  const names = new Set([
    'CPU',
    'Memory',
    'Disk',
    'In',
    'Out',
    'Load',
    'TCP connections',
    'UDP connections',
    'Processes',
  ])
  for (const name of ['Swap', 'Highest temperature', 'Busiest GPU']) names.add(name)
  for (let key = 0; key < 12; key += 1) {
    const shown = screen.lines()[1]!
    for (const name of shown.split(/ {2,}|[‹›…]/).map((one) => one.trim())) expect(['', ...names]).toContain(name)
    expect(shown.endsWith('…') || shown.includes('Busiest GPU')).toBe(true)
    await run('nextMetric')
  }
})

test('the scale says half of it too, in the row of such a value', async () => {
  await open({ columns: 80, rows: 20 }, { count: 1, figureOf: () => 50 })
  expect(screen.lines().find((row) => row.includes('●') && row.includes('│'))).toMatch(/^ +50%│●+/)
})

test('more servers than one chart can show come in parts; the keys of a list go through all of them', async () => {
  const { run, asked } = await open({ columns: 80, rows: 20 }, { count: 23 })
  expect(screen.lines()[0]).toContain('1–5 of 23')
  expect(asked.at(-1)!.servers).toBe('1,2,3,4,5')
  for (let key = 0; key < 5; key += 1) await run('next')
  expect(screen.lines()[0]).toContain('6–10 of 23')
  expect(legend()[0]).toMatch(/^▌● web-6 /)
  expect(asked.at(-1)!.servers).toBe('6,7,8,9,10')
  await run('last')
  expect(screen.lines()[0]).toContain('21–23 of 23')
  expect(legend().at(-1)).toMatch(/^▌■ web-23 /)
  await run('pageUp')
  expect(legend()[0]).toMatch(/^▌● web-16 /)
  await run('first')
  expect(legend()[0]).toMatch(/^▌● web-1 /)
})

test('the metric and the range are chosen by key, both ways around', async () => {
  const { run, asked } = await open({ columns: 120, rows: 20 }, { count: 2 })
  await run('nextMetric')
  expect(screen.lines()[0]).toMatch(/^─ Memory ─/)
  expect(screen.lines()[1]).toContain('‹Memory›')
  expect(asked.at(-1)).toMatchObject({ metric: 'memory', from: now - hour, to: now })
  await run('previousMetric')
  await run('previousMetric')
  expect(asked.at(-1)!.metric).toBe('updates_security')
  expect(screen.lines()[1]).toMatch(/‹.*›/)
  await run('nextTab')
  expect(screen.lines()[0]).toContain('‹24 h›')
  expect(asked.at(-1)).toMatchObject({ metric: 'updates_security', from: now - 24 * hour })
})

test('issue 18: the keys sheet offers no action that would lead where one is', async () => {
  const { page } = await open({ columns: 80, rows: 24 }, { count: 2 })
  const keys = keysHere({ screen: page, workspace: { session: { viewer: () => viewer } } } as never)
  const chords = keys.filter(({ action }) => action !== null).map(({ chord }) => chord)
  expect(chords).toContain('r')
  expect(chords).not.toContain('h')
})

test('a server without history, one that is offline and one that is gone say so beside the others', async () => {
  const { rows, draw } = await open(
    { columns: 120, rows: 20 },
    { count: 4, offline: [2], figureOf: (id) => (id === 3 ? null : id * 10) },
  )
  rows.delete(4)
  draw()
  expect(legend()[0]).toMatch(/web-1 +10% +mean 10%/)
  expect(legend()[1]).toMatch(/web-2 +offline +mean 20%/)
  expect(legend()[2]).toMatch(/web-3 +– +no data in this range/)
  expect(legend()[3]).toMatch(/web-4 +deleted/)
})

test('without any history it says so, and a lone server is a chart too', async () => {
  await open({ columns: 80, rows: 20 }, { count: 1, figureOf: () => null })
  expect(text()).toContain('no data in this range')
  expect(text()).not.toContain('100%')
  expect(legend()).toHaveLength(1)
})

test.each([
  [40, 10],
  [40, 7],
  [30, 5],
  [20, 3],
])('at %i by %i the chart and the name of the one in front stay', async (columns, height) => {
  const { run } = await open({ columns, rows: height }, { count: 5 })
  for (const name of ['web-1', 'web-2', 'web-3', 'web-4', 'web-5']) {
    const rows = screen.lines()
    expect(rows.length).toBeLessThanOrEqual(height)
    expect(rows.every((row) => widthOf(row) <= columns)).toBe(true)
    expect(rows.some((row) => row.includes('│'))).toBe(true)
    expect(text()).toMatch(new RegExp(`▌[●▲■○◆] ${name}`))
    await run('next')
  }
})

test('in ASCII each line has a sign of its own too', async () => {
  await open({ columns: 80, rows: 20 }, { count: 5 })
  const signs = legend().map((row) => asciiText(row)[1])
  expect(new Set(signs).size).toBe(5)
  expect(signs.every((sign) => /^[!-~]$/.test(sign!))).toBe(true)
})

test('it is the same as a line of the CLI, and is read aloud', async () => {
  const { page, run } = await open({ columns: 80, rows: 20 }, { count: 2 })
  expect(page.cliLine?.()).toBe('qd server history --ids 1,2 --metric cpu --range 1h')
  await run('next')
  expect(page.spoken!()).toEqual(['Row 2 of 2: CPU, web-2 20%, mean 20%, peak 20%'])
})
