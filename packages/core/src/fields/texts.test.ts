import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { commandWithInput, machineValue, optionFlag, plainLines, plainText, present } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const context = {
  resource: { name: 'run' },
  fieldName: 'command',
  translator,
  format: createFormat({ translator, timeZone: 'UTC' }),
  view: { now: 0, find: () => undefined, title: () => null, all: () => [], referring: () => [], trend: () => [] },
  reachText: () => '',
}

test('nothing a terminal obeys is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(plainLines(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test.each([
  ['allExcept', 'all-except'],
  ['de-DE', 'de-DE'],
  ['admin', 'admin'],
])('flag of option %s', (name, flag) => expect(optionFlag(name)).toBe(flag))

test('a command with piped input shows what was typed and that there is more, machines get the whole', () => {
  const whole = commandWithInput('wc -l', 'a\nb\n')
  const field = { kind: 'command' } as const
  expect(present(field, whole, context)).toMatchObject({ text: 'wc -l <<…', tone: 'plain' })
  expect(machineValue(field, whole)).toBe(whole)
})
