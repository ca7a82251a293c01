import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import type { Annotation } from '@qd/core/view'
import { expect, test } from 'vitest'
import { historyPoint } from '../../screen/fields/chart.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { lineText, lineWidth } from '../../screen/terminal/line.ts'
import { chartSection } from './chart-section.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const now = Date.parse('2026-03-02T12:00:00Z')
const ui = { io: { now: () => now }, workspace: { ...translator, translator, format } } as unknown as Ui

/** The head of one chart with that name at a width; charts of this section have no neighbours. */
function headOf(name: string, columns: number): string {
  const points = [historyPoint([now - 60_000, 30, 10, 90, 20]), historyPoint([now - 30_000, 40, 10, 50, 20])]
  const lines = chartSection(ui, {
    ...{ title: 'History', ranges: [{ hours: 1 }], range: { hours: 1 }, none: null, columns },
    charts: [{ name, points, top: 100, text: (value) => `${value} %` }],
  })
  expect(lines.every((one) => lineWidth(one) <= columns)).toBe(true)
  return lineText(lines[1]!).trim()
}

test('a chart says mean and peak beside its name, the peak alone where both do not fit, and its name is whole', () => {
  expect(headOf('Memory', 40)).toMatch(/^Memory 40 % {2,}mean 35 %, peak 90 %$/)
  expect(headOf('Memory', 30)).toMatch(/^Memory 40 % {2,}peak 90 %$/)
  expect(headOf('Memory', 20)).toBe('Memory 40 %')
  expect(headOf('Outbound traffic of everything', 30)).toMatch(/^Outbound traffic.*… 40 %$/)
})

test('incidents and runs of the range stand below the charts, with what each sign means', () => {
  const points = [historyPoint([now - 60_000, 30, 10, 90, 20])]
  const mark = (resource: 'incident' | 'run', from: number, to: number | null) =>
    ({ resource, id: 1, from, to, text: '', tone: 'bad' }) as const
  const drawn = (annotations: readonly Annotation[]) =>
    chartSection(ui, {
      ...{ title: 'History', ranges: [{ hours: 1 }], range: { hours: 1 }, none: null, columns: 21, annotations },
      charts: [{ name: 'CPU', points, top: 100, text: (value) => `${value} %` }],
    }).map(lineText)
  const hour = 3_600_000
  const all = drawn([
    mark('incident', now - 2 * hour, now - 1.5 * hour),
    mark('incident', now - 0.5 * hour, null),
    mark('run', now - 0.75 * hour, now - 0.75 * hour),
  ])
  expect(all).toContain(' '.repeat(6) + '•' + ' '.repeat(4) + '▲' + '━'.repeat(9))
  expect(all.at(-1)).toBe(' ▲ Incident  • Run')
  expect(drawn([]).join()).not.toContain('▲')
})
