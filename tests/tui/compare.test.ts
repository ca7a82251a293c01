import { beforeAll, expect, test } from 'vitest'
import { onFleet } from './on-fleet.ts'

const names = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6', 'c-7']
const on = onFleet(names, { shows: 'c-7', columns: 120, rows: 36 })

beforeAll(async () => {
  for (const [at, name] of names.entries()) on.fleet.sample(name, { cpu: 10 + 10 * at })
})

test('issue 18: marked servers over each other: a sign and a colour for each, metric and range by key, Escape goes back', async () => {
  await on.start()
  await on.screen.press('x', 'x', 'x', 'h')
  await on.screen.shows(/^▌● c-1 +\d/m)
  await on.screen.shows(/^ ▲ c-2 +\d/m)
  const text = await on.screen.shows(/^ ■ c-3 +\d+(\.\d)?% +mean \d/m)
  expect(text).toMatch(/Servers › 3 compared/)
  expect(text).toMatch(/│.*[●▲■]/)
  const row = on.screen.rows().findIndex((line) => line.startsWith('▌● c-1'))
  const colours = [0, 1, 2].map((by) => on.screen.cell(row + by, 1).foreground)
  expect(new Set(colours).size).toBe(3)
  await on.screen.press('v')
  await on.screen.shows(/^─ Memory ─/m)
  await on.screen.press(']')
  await on.screen.shows('‹24 h›')
  await on.screen.press('V', 'j')
  await on.screen.shows(/^▌▲ c-2/m)
  await on.screen.press('?')
  await on.screen.shows(/v → +Next metric/)
  await on.screen.press('Escape')
  await on.screen.shows(/^▌▲ c-2/m)
  await on.screen.press('Enter')
  await on.screen.shows(/Servers › c-2/)
  await on.screen.press('Escape')
  await on.screen.shows(/3 compared/)
  await on.screen.press('Escape')
  await on.screen.shows(/3 selected/)
})

test('issue 18: a comparison by palette and by `:`, of a selection too large for one chart, at any size', async () => {
  await on.start()
  await on.screen.press('*', ':', ...'server history', 'Enter')
  await on.screen.shows(/1–5 of 7/)
  await on.screen.press('G')
  await on.screen.shows(/6–7 of 7/)
  await on.screen.shows(/^▌▲ c-7 +\d/m)
  for (const [columns, rows] of [
    [40, 10],
    [200, 50],
    [60, 20],
    [80, 24],
  ] as const) {
    on.screen.resize(columns, rows)
    await on.screen.shows(
      (lines) => lines.some((line) => /▌▲ c-7/.test(line)) && lines.some((line) => /│.*[●▲]/.test(line)),
    )
  }
  await on.screen.press('Escape')
  await on.screen.shows(/7 selected/)
  await on.screen.press('Escape', 'Ctrl+k', ...'compare over')
  await on.screen.shows('Compare over time')
  await on.screen.press('Enter')
  await on.screen.shows(/1 compared/)
})

test('without colour and in ASCII the signs alone tell the lines apart', async () => {
  await on.start({ args: ['--ascii'], env: { NO_COLOR: '1' } })
  await on.screen.press('x', 'x', 'h')
  await on.screen.shows(/^>o c-1 +\d/m)
  await on.screen.shows(/^ ! c-2 +\d/m)
})
