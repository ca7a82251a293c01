import { expect, test } from 'vitest'
import { fieldValue, textKey } from '../define/index.ts'
import { createFormat, createTranslator, languages, loadLanguage } from '../i18n/index.ts'
import { audit } from '../resources/audit.ts'
import { factsOf, type Surface } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const view = { now: 0, all: () => [], find: () => undefined, title: () => null, referring: () => [], trend: () => [] }
const surface = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view } as unknown as Surface
const entry = (changes: object) => ({ id: 1, names: 'keen-rudder', action: 'terminal end', target: '1', ...changes })
const facts = (row: ReturnType<typeof entry>) =>
  factsOf(surface, audit, row, ['record', 'lasted', 'ended']).map(({ label, shown }) => `${label}: ${shown.text}`)

test('the end of a shell says how long it was open and why it ended, in words', () => {
  expect(facts(entry({ target: '1, 91 s, left' }))).toEqual([
    'Record: keen-rudder (1)',
    'Open for: 1 min 31 s',
    'Ended: closed by the user',
  ])
  expect(facts(entry({ action: 'file end', target: '12, 3 s, agent-gone', names: '' }))).toEqual([
    'Record: 12',
    'Open for: 3 s',
    'Ended: agent disconnected',
  ])
})

test('other entries say what they are about, and nothing of an end', () => {
  expect(facts(entry({ action: 'terminal open' }))).toEqual(['Record: keen-rudder (1)'])
  expect(facts(entry({ action: 'server delete', target: '1, 2', names: 'a, b' }))).toEqual(['Record: a, b (1, 2)'])
})

test.each(['left', 'ended', 'agent-gone', 'no-agent', 'revoked', 'limit', 'stop'])(
  'the end %s has words in every language',
  async (why) => {
    const value = fieldValue(audit, entry({ target: `1, 9 s, ${why}` }), 'ended', view as never)
    expect(value).toBe(why)
    for (const language of languages) {
      const own = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
      const name = why.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())
      expect(own.say(textKey.option('audit', 'ended', name))).not.toContain('audit')
    }
  },
)
