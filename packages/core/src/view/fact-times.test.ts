import { expect, test } from 'vitest'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { maintenanceWindow } from '../resources/maintenance-window.ts'
import { factsOf, presentCell, type Surface } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const now = Date.UTC(2026, 10, 25)
const view = { now, all: () => [], find: () => undefined, title: () => null, referring: () => [], trend: () => [] }
const surface = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view } as unknown as Surface

test('a page tells at what hour something begins also in another year, a list only on which day', () => {
  const row = maintenanceWindow.read.parse({
    id: 1,
    name: 'rack',
    starts_at: '2027-01-02T08:00:00Z',
    ends_at: '2026-12-20T09:30:00Z',
  })
  const facts = factsOf(surface, maintenanceWindow, row as never, ['starts_at', 'ends_at'])
  expect(facts.map(({ shown }) => shown.text)).toEqual(['2027-01-02 08:00', 'Dec 20, 09:30'])
  expect(presentCell(surface, { resource: maintenanceWindow, row: row as never, field: 'starts_at' }).text).toBe(
    '2027-01-02',
  )
})
