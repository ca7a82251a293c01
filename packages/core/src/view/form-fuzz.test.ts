import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import { everyForm } from '../../../../tests/support/every-form.ts'
import { fuzzValues, fuzzSeed as seed, typedTexts } from '../../../../tests/support/typed-texts.ts'
import type { Field, RuleCondition, Viewer } from '../define/index.ts'
import {
  coveredIds,
  cycleUnitOf,
  inputText,
  isCycleType,
  metricOf,
  type Parsed,
  parseInput,
  present,
} from '../fields/index.ts'
import { createFormat, createTranslator, loadLanguage, problemSentence } from '../i18n/index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const rows = [serverRow({ id: 1, name: 'web-1' }), serverRow({ id: 2, name: 'web-2', seenMsAgo: null })]
const view = viewOf({ server: rows, cron: [cronRow({ id: 7 })] })
/** Conditions have a grammar of their own; a kind that several fields share is tried in each. */
const runsOf = ({ kind }: Field) => Math.max(fuzzValues, kind === 'rules' ? 100 : 20)

const forms = everyForm({ view, viewer, translator })

/** A value by what it means: conditions may say the same in several ways, each part of which has no effect or is left out. */
function meant(field: Field, parsed: Parsed): unknown {
  if (field.kind !== 'rules' || !parsed.ok) return parsed
  return (parsed.value as RuleCondition[]).map((rule) => {
    const cycle = [rule.cycle_interval, cycleUnitOf(rule), rule.cycle_start]
    const time = isCycleType(rule.type) ? cycle : rule.duration
    return [metricOf(rule.type) ?? rule.type, rule.min || 0, rule.max || 0, time, rule.cover, coveredIds(rule)]
  })
}

describe.each(forms)('issue 10.2: whatever is typed into $name', ({ open }) => {
  const { shape } = open()
  const names = shape.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  test.each(names)('%s ends nothing, stays as typed, and is sent as it is shown', (name) => {
    const field = shape.fields[name]!
    const context = { fieldName: name, view }
    const shown = { resource: shape, fieldName: name, translator, format, view, targetsText: () => '' }
    const form = open()
    fc.assert(
      fc.property(typedTexts(shape, name, view), (text) => {
        form.setText(name, text)
        expect(form.text(name)).toBe(text)
        // Everything that a surface shows of a form while it is typed.
        const groups = form.groups()
        form.preview()
        form.targetPreview()
        form.runs()
        form.cliLine()
        present(field, form.values()[name], shown)
        const submitted = form.submit()
        if (!submitted.ok) for (const problem of submitted.problems) problemSentence(translator, problem)
        expect(form.text(name)).toBe(text)
        const parsed = parseInput(field, text, context)
        if (!parsed.ok) {
          // A field that is not shown now is not sent as it was typed either.
          const isShown = groups.some(({ fields }) => fields.some((one) => one.field === name))
          expect(submitted.ok && isShown).toBe(false)
          return
        }
        expect(form.values()[name]).toEqual(parsed.value)
        // Shown again, it reads as the same value.
        const again = parseInput(field, inputText(field, parsed.value as never, context), context)
        expect(meant(field, again)).toEqual(meant(field, parsed))
        if (submitted.ok) JSON.stringify(form.resource?.wire.encode(submitted.input) ?? submitted.input)
      }),
      { numRuns: runsOf(field), seed },
    )
  })
})
