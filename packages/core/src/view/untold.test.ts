import { describe, expect, test } from 'vitest'
import type { AnyRow, Resource, View } from '../define/index.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { completions, parseSelection, selectRows, sortRows } from '../targets/index.ts'
import { choosableColumns, columnsFor, createForm, factsOf, jsonFields, recordJson, rowStatus } from './index.ts'
import { buildTable } from './table.ts'

const language = 'en-US'
const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const viewOf = (supports: View['supports']): View => ({
  now: Date.UTC(2026, 10, 24),
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
  ...(supports && { supports }),
})
const silent = viewOf(() => false)
const surface = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view: silent, viewer }
const untoldOf = ({ fields }: Resource) => Object.keys(fields).filter((name) => fields[name]!.requires !== undefined)
const affected = resources.filter((resource) => untoldOf(resource).length > 0)
const rowOf = (resource: Resource): AnyRow => resource.read.parse({ id: 1, name: 'one' })

test('D3: what existing dashboards do not tell is marked at the fields that would say “never” there', () => {
  const marked = affected.flatMap((resource) => untoldOf(resource).map((field) => `${resource.name}.${field}`))
  expect(marked).toEqual(
    expect.arrayContaining([
      'notification.state',
      'ddns.state',
      'nat.state',
      'service.state',
      'alert-rule.state',
      'user.servers',
      'user.totp',
      'setting.history_fine_hours',
    ]),
  )
})

describe.each(affected.map((resource) => [resource.name, resource] as const))(
  'D3: untold of a %s',
  (_name, resource) => {
    const untold = untoldOf(resource)
    const row = rowOf(resource)
    const listed = { resource, rows: [row], width: 'wide', filter: '', marks: new Set<number>() } as const

    test('no column, fact, facet, state or form field speaks of it, and machine output says null', () => {
      const named = [
        ...columnsFor(resource, 'wide', { view: silent, chosen: untold }).map(({ field }) => field),
        ...choosableColumns(resource, silent),
        ...factsOf(surface, resource, row, untold).map(({ field }) => field),
        ...createForm({ resource, mode: 'create', row: null, view: silent, viewer, translator, supports: () => false })
          .groups()
          .flatMap(({ fields }) => fields.map(({ field }) => field)),
      ]
      expect(named.filter((field) => untold.includes(field))).toEqual([])
      if (untold.includes(resource.facet ?? '')) expect(buildTable({ ...listed, view: silent }).facets).toEqual([])
      if (untold.includes(resource.state?.field ?? '')) expect(rowStatus(surface, resource, row)).toBeNull()
      const json = recordJson(resource, row, null, silent)
      for (const field of untold.filter((name) => jsonFields(resource).includes(name))) expect(json[field]).toBeNull()
    })

    test('a selection cannot ask for it, is not offered it, and an order by it leaves the rows as they are', () => {
      for (const field of untold.filter((name) => resource.fields[name]!.kind !== 'part')) {
        const parsed = parseSelection(resource, `${field}:x`, { view: silent })
        expect(parsed).toMatchObject({ ok: false })
        if (parsed.ok || parsed.problem.code === 'unknownTerm') continue
        expect(parsed.problem).toMatchObject({ code: 'unsupported', params: { term: field } })
        const all = parseSelection(resource, `${field}:x`)
        if (all.ok) expect(selectRows(all.selection, resource, [row], silent)).toEqual([])
        expect(sortRows(resource, [row], { field, order: 'asc' }, silent)).toEqual([row])
      }
      const offered = completions(resource, '', 0, silent).items.map(({ field }) => field)
      expect(offered.filter((field) => untold.includes(field))).toEqual([])
    })

    test('a server that tells it shows it', () => {
      const columns = resource.columns.map(({ field }) => field).filter((field) => untold.includes(field))
      const shown = columnsFor(resource, 'wide', { view: viewOf(() => true), chosen: columns }).map(
        ({ field }) => field,
      )
      const wanted = resource.columns.filter(({ field, show }) => columns.includes(field) && show !== 'detail')
      expect(shown).toEqual(expect.arrayContaining(wanted.map(({ field }) => field)))
    })
  },
)

test('a word of its own is refused too, not searched as text', () => {
  const notification = resources.find(({ name }) => name === 'notification')!
  expect(parseSelection(notification, 'failing', { view: silent })).toMatchObject({
    ok: false,
    problem: { code: 'unsupported', at: 0, to: 7 },
  })
  expect(parseSelection(notification, '"failing"', { view: silent }).ok).toBe(true)
  expect(parseSelection(notification, 'failing', { view: viewOf(() => true) }).ok).toBe(true)
})
