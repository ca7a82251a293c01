import type { Field, FormShape } from '@qd/core/define'
import { parseInput } from '@qd/core/fields'
import type { FormModel } from '@qd/core/view'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import fc from 'fast-check'
import { useReducer } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { everyForm } from '../../../../../tests/support/every-form.ts'
import { fuzzValues, fuzzSeed as seed, typedTexts } from '../../../../../tests/support/typed-texts.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { showLanguage, texts } from '../../base/state/texts.ts'
import { FieldInput } from './FieldInput.tsx'

/** Values of a field come in sequences: drawing a form anew is what costs. */
const maxSteps = fuzzValues > 100 ? 40 : 8
const numRuns = Math.ceil(fuzzValues / (maxSteps / 2))

const stored: Readonly<Record<string, readonly object[]>> = {
  server: [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `web-${id}`, uuid: `u${id}` })),
  'server-group': [{ group: { id: 7, name: 'shop' }, servers: [1, 2] }],
}

await showLanguage('en-US')
await import('../rules/RulesInput.tsx')
vi.stubGlobal('fetch', async (url: string) => {
  const path = new URL(url, 'http://x').pathname.split('/').at(-1)!
  return Response.json({ success: true, data: stored[path] ?? [] })
})
records.open('1')
for (const name of ['server', 'server-group'] as const) await records.load(name)

let failures: unknown[] = []
beforeEach(() => {
  failures = []
  vi.spyOn(console, 'error').mockImplementation((...what) => void failures.push(what))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** A server that can do everything, so that no field is left out. */
const able: typeof view = Object.create(view, { supports: { value: () => true } })
const forms = everyForm({ view: able, viewer: session.viewer(), translator: texts().translator })

function One({ form, name }: { form: FormModel; name: string }) {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const shown = form
    .groups()
    .flatMap(({ fields }) => fields)
    .find(({ field }) => field === name)
  if (!shown) return null
  return (
    <FieldInput
      form={form}
      shown={shown}
      edit={(change) => {
        change()
        draw()
      }}
    />
  )
}

type Typing = HTMLInputElement | HTMLTextAreaElement
const isTyping = (control: Element): control is Typing & { typed: true } =>
  control.matches('textarea, input:not([type="radio"], [type="checkbox"])')

/** What somebody does to a field: to which of its controls, what they type, and how they go on. */
interface Step {
  at: number
  text: string
  next: 'stay' | 'leave' | 'Enter' | 'Backspace'
}
const usual = ['web-1', '2', 'web', 'a, b', 'a', 'b', '30s', '5', '12', '20T', 'x']
const stepsFor = (shape: FormShape, name: string) =>
  fc.array(
    fc.record<Step>({
      at: fc.nat(40),
      text: fc.oneof(typedTexts(shape, name, view), fc.constantFrom(...usual)),
      next: fc.constantFrom('stay', 'leave', 'Enter', 'Backspace'),
    }),
    { minLength: 1, maxLength: maxSteps, size: 'max' },
  )

const controlsIn = (root: Element) => [...root.querySelectorAll('input:not([tabindex="-1"]), textarea, select, button')]

/** Does one step. */
function take(root: Element, { at, text, next }: Step): void {
  const controls = controlsIn(root)
  const control = controls[at % controls.length]
  if (!control) return
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options]
    fireEvent.change(control, { target: { value: options[text.length % options.length]?.value } })
  } else if (isTyping(control)) {
    act(() => control.focus())
    fireEvent.change(control, { target: { value: text } })
    if (next === 'leave') act(() => control.blur())
    else if (next !== 'stay') fireEvent.keyDown(control, { key: next })
  } else fireEvent.click(control)
}

/** Everything that the field shows of its value. */
function shownIn(root: Element): unknown[] {
  const chips = [...root.querySelectorAll('button[aria-label^="Remove "]')].map((one) => one.getAttribute('aria-label'))
  const controls = controlsIn(root).flatMap((control): unknown[] => {
    if (isTyping(control) || control instanceof HTMLSelectElement) return [control.value]
    return control instanceof HTMLInputElement ? [control.checked] : []
  })
  return [...chips, ...controls]
}

/** A form in which the field is to be seen, whatever shows it. */
function openWith(open: () => FormModel, name: string): FormModel {
  const seen = (form: FormModel) => form.groups().some(({ fields }) => fields.some(({ field }) => field === name))
  const form = open()
  if (seen(form)) return form
  for (const [field, { kind, ...definition }] of Object.entries(form.shape.fields)) {
    const options = 'options' in definition ? Object.values(definition.options ?? {}) : ['x', 1]
    for (const value of kind === 'flag' ? [true] : options) {
      const other = open()
      other.set(field, value)
      if (seen(other)) return other
    }
  }
  throw new Error(`${name} is never shown`)
}

const asText: readonly Field['kind'][] = [
  ...(['text', 'note', 'secret', 'command', 'schedule', 'address', 'version', 'number', 'duration'] as const),
  ...(['bytes', 'rate', 'percent', 'id-map', 'instant'] as const),
]

describe.each(forms)('issue 10.2: whatever is done to $name', ({ open }) => {
  const names = open().shape.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  test.each(names)('%s ends nothing, loses nothing, and is sent as it is shown', (name) => {
    const { shape } = open()
    const definition = shape.fields[name]!
    const read = (text: string) => parseInput(definition, text, { fieldName: name, view })
    fc.assert(
      fc.property(stepsFor(shape, name), (steps) => {
        cleanup()
        const form = openWith(open, name)
        const { container } = render(<One form={form} name={name} />)
        for (const step of steps) {
          take(container, step)
          expect(failures).toEqual([])
        }
        const sent = form.submit()
        // A search beside the field is none of its value.
        const isSearch = (control: Element) => definition.kind === 'secret' && control.matches('[role="combobox"]')
        const typing = controlsIn(container).filter((control) => isTyping(control) && !isSearch(control)) as Typing[]
        const [first] = typing
        for (const control of typing) act(() => control.blur())
        const shown = shownIn(container)
        expect(failures).toEqual([])
        if (asText.includes(definition.kind) && first) {
          expect(form.text(name)).toBe(first.value)
        }
        if (!sent.ok) return
        expect(form.submit()).toEqual(sent)
        if (first && (asText.includes(definition.kind) || first instanceof HTMLTextAreaElement)) {
          const value = read(first.value)
          expect(value.ok && value.value).toEqual(sent.input[name])
          return
        }
        const again = openWith(open, name)
        again.set(name, sent.input[name])
        cleanup()
        expect(shownIn(render(<One form={again} name={name} />).container)).toEqual(shown)
      }),
      { numRuns, seed },
    )
  })
})
