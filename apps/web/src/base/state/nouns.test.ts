import { expect, test } from 'vitest'
import { capital, nounOf } from './nouns.ts'

test('labels begin with a capital; names keep their own spelling', () => {
  expect(['only these', 'macOS', 'Linux', 'éteint'].map((text) => capital(text, 'en-US'))).toEqual([
    'Only these',
    'macOS',
    'Linux',
    'Éteint',
  ])
})

test('nouns inside a sentence are small, but for abbreviations and German', () => {
  expect([nounOf('Server group', 'en-US'), nounOf('API token', 'en-US'), nounOf('Aufgabe', 'de-DE')]).toEqual([
    'server group',
    'API token',
    'Aufgabe',
  ])
})
