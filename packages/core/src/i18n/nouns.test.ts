import { expect, test } from 'vitest'
import { capital, nounOf, oneOf } from './languages.ts'

test.each([
  ['Turn on 2FA', 'en-US', 'turn on 2FA'],
  ['2FA', 'en-US', '2FA'],
  ['IP address', 'en-US', 'IP address'],
  ['NAT profile', 'en-US', 'NAT profile'],
  ['DNS servers', 'en-US', 'DNS servers'],
  ['GPUs', 'en-US', 'GPUs'],
  ['IPv4 (A records)', 'en-US', 'IPv4 (A records)'],
  ['GitHub', 'en-US', 'GitHub'],
  ['Don’t count processes', 'en-US', 'don’t count processes'],
  ['Adresse', 'de-DE', 'Adresse'],
  ['Серверы DNS', 'ru-RU', 'серверы DNS'],
  ['Índice', 'es-ES', 'índice'],
  ['Agent 密钥', 'zh-CN', 'Agent 密钥'],
  ['Agent secret', 'it-IT', 'agent secret'],
])('%s (%s) stands as %s in a sentence', (label, language, shown) => {
  expect(nounOf(label, language)).toBe(shown)
})

test.each([
  ['Alert rule', 'an alert rule'],
  ['User', 'a user'],
  ['Server', 'a server'],
])('%s is %s', (noun, shown) => {
  expect(oneOf(noun, 'en-US')).toBe(shown)
})

test('labels begin with a capital; names keep their own spelling', () => {
  expect(['only these', 'macOS', 'Linux', 'éteint'].map((text) => capital(text, 'en-US'))).toEqual([
    'Only these',
    'macOS',
    'Linux',
    'Éteint',
  ])
})
