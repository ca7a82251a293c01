import { expect, test } from 'vitest'
import type { AnyRow } from '../define/index.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { annotationsOf, clustersOf } from './annotations.ts'
import type { Surface } from './cell.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const now = Date.parse('2026-03-02T12:00:00Z')
const surface = { translator, format, view: { now } } as unknown as Surface
const incident = (id: number, opened_at: string | null, closed_at: string | null) =>
  ({ id, name: 'Disk full', opened_at, closed_at }) as unknown as AnyRow
const run = (at: string, params: Record<string, string | number>) => ({ id: 1, at, kind: 'run' as const, params })

test('incidents last until they close, runs are moments, and both lead to their record', () => {
  const found = annotationsOf(
    surface,
    [
      incident(7, '2026-03-02T10:00:00Z', null),
      incident(5, '2026-03-02T08:00:00Z', '2026-03-02T08:30:00Z'),
      incident(4, null, null),
    ],
    [
      run('2026-03-02T09:00:00Z', { run_id: 3, name: 'backup', state: 'failure' }),
      run('2026-03-02T09:10:00Z', { run_id: 4, name: 'backup', state: 'success' }),
      run('2026-03-02T09:20:00Z', { name: 'of before runs were kept', state: 'success' }),
      { id: 2, at: '2026-03-02T09:30:00Z', kind: 'offline', params: {} },
    ],
  )
  expect(found.map(({ resource, id, tone }) => [resource, id, tone])).toEqual([
    ['incident', 5, 'warn'],
    ['run', 3, 'bad'],
    ['run', 4, 'muted'],
    ['incident', 7, 'bad'],
  ])
  expect(found[0]).toMatchObject({ to: Date.parse('2026-03-02T08:30:00Z'), text: 'Disk full: 08:00, lasted 30 min' })
  expect(found[1]).toMatchObject({ from: found[1]!.to, text: '09:00: Ran backup: failure' })
  expect(found[3]).toMatchObject({ to: null, text: 'Disk full: open since 10:00' })
})

test('marks too close to be told apart are one, and what lasted from before the range stands at its start', () => {
  const mark = (from: number, to: number | null) =>
    ({ resource: 'run', id: from, from, to, text: '', tone: 'muted' }) as const
  const clusters = clustersOf(
    [mark(-50, -10), mark(-40, null), mark(2, 2), mark(60, 60), mark(95, 95), mark(200, 200)],
    { from: 0, to: 100 },
    0.1,
  )
  expect(clusters.map(({ at, annotations }) => [at, annotations.map(({ id }) => id)])).toEqual([
    [0, [-40, 2]],
    [0.6, [60]],
    [0.95, [95]],
  ])
})
