import type { AnyRow, Viewer } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everyForm } from '../../../../../tests/support/every-form.ts'
import { fuzzValues, fuzzSeed as seed, typedTexts } from '../../../../../tests/support/typed-texts.ts'
import { takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createFormEditor } from './form-editor.ts'
import { inputKindOf } from './form-field.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const rows = [server.read.parse({ id: 1, name: 'web-1' }), server.read.parse({ id: 2, name: 'web-2' })]
const view = {
  now: Date.parse('2026-11-20T13:32:07Z'),
  all: (name: string): readonly AnyRow[] => (name === 'server' ? rows : []),
  find: (name: string, id: number) => (name === 'server' ? rows.find((row) => row.id === id) : undefined),
  title: (name: string, id: number) => (name === 'server' ? (rows.find((row) => row.id === id)?.name as string) : null),
  referring: () => [],
  trend: () => [],
}
/** What a form editor touches of the program. */
const ui = {
  workspace: { ...translator, translator, format, view, surface: () => ({ translator, format, view, viewer }) },
  style: plainStyle,
  say: () => undefined,
  fail: () => undefined,
  open: () => undefined,
} as unknown as Ui

/** Each form with the fields that are typed as text. */
const typedForms = everyForm({ view, viewer, translator }).flatMap(({ name, open }) => {
  const fields = open()
    .groups()
    .flatMap((group) => group.fields)
  const typed = fields.filter(({ definition }) => ['line', 'editor', 'secret'].includes(inputKindOf(definition)))
  return typed.length === 0 ? [] : [{ name, open, fields, typed: typed.map(({ field }) => field) }]
})

describe.each(typedForms)('issue 10.2: the form editor of $name', ({ open, fields, typed }) => {
  test.each(typed)('ends with nothing that is pasted into %s, and keeps it', (name) => {
    fc.assert(
      fc.property(typedTexts(open().shape, name, view), (text) => {
        const model = open()
        const editor = createFormEditor(ui, model)
        for (const { field } of fields) {
          if (field === name) break
          takeKey(editor, { type: 'key', chord: 'Tab' })
        }
        takeKey(editor, { type: 'key', chord: 'Ctrl+u' })
        takeKey(editor, { type: 'paste', text })
        const kept = model.text(name)
        const isWhole = kept === text || kept === text.replaceAll('\n', ' ').trim()
        expect(isWhole, JSON.stringify([text, kept])).toBe(true)
        editor.lay({ columns: 80, rows: 24 })
        editor.submit()
        editor.lay({ columns: 160, rows: 40 })
        editor.spoken()
        expect(model.text(name)).toBe(kept)
      }),
      { numRuns: fuzzValues, seed },
    )
  })
})
