import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createTranslator, errorText, languages, loadLanguage, parseLanguage, problemSentence } from './index.ts'

const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const texts = {
  errors: {},
  resources: {},
  ui: { say: 'Hello {{name}}', n_one: '{{count}} server', n_few: '{{count}} сервера', n_many: '{{count}} серверов' },
}
const russian = createTranslator({
  language: 'ru-RU',
  bundles: { 'ru-RU': texts, 'en-US': await loadLanguage('en-US') },
})

describe('translator', () => {
  test.each(languages)('%s loads', async (language) => {
    expect(Object.keys(await loadLanguage(language))).toEqual(['ui', 'resources', 'errors'])
  })

  test.each([
    ['a value', { name: 'web-3' }, 'Hello web-3'],
    ['markup is not escaped', { name: '<b>&' }, 'Hello <b>&'],
    ['a value is never a template', { name: '{{name}} {{- name}} $t(ui.say)' }, 'Hello {{name}} {{- name}} $t(ui.say)'],
    ['a name that is an option of the library', { name: 'x', lng: 'de', context: 'y', defaultValue: 'z' }, 'Hello x'],
    ['a list', { name: ['a', 'b'] }, 'Hello a, b'],
    ['a large number', { name: 12_345 }, 'Hello 12 345'],
  ])('%s', (_name, params, text) => expect(russian.say('ui.say', params).replace(/\u00a0/g, ' ')).toBe(text))

  test.each([
    [1, '1 server'],
    [3, '3 сервера'],
    [25, '25 серверов'],
    [2001, '2 001 server'],
  ])('plural of %d', (count, text) => expect(russian.say('ui.n', { count }).replace(/\u00a0/g, ' ')).toBe(text))

  test('issue 10: a value that is missing shows no template to a reader', () => {
    expect(russian.say('ui.say')).toBe('Hello …')
  })

  test('falls back to English, then to the key', () => {
    expect(russian.t('ui.value.noData')).toBe('no data')
    expect(russian.say('ui.nothing.here')).toBe('ui.nothing.here')
    expect(russian.has('ui.nothing.here')).toBe(false)
    expect(russian.has('ui.n')).toBe(true)
  })

  test('issue 17: a text that is still on its way is empty, and told of, until it came', () => {
    const gaps: string[] = []
    const growing = createTranslator({
      language: 'de-DE',
      bundles: { 'de-DE': { ui: { first: 'Erst', deep: { one: 'Eins' } } } },
      onGap: () => gaps.push('gap'),
    })
    expect([growing.say('ui.first'), growing.say('ui.deep.two'), growing.say('ui.n', { count: 2 })]).toEqual([
      'Erst',
      '',
      '',
    ])
    expect(gaps).toHaveLength(2)
    growing.add({ ui: { deep: { two: 'Zwei' }, n_one: '{{count}} Stück', n_other: '{{count}} Stücke' } })
    expect(['ui.first', 'ui.deep.one', 'ui.deep.two', 'ui.never'].map((key) => growing.say(key))).toEqual([
      'Erst',
      'Eins',
      'Zwei',
      'ui.never',
    ])
    expect(growing.say('ui.n', { count: 2 })).toBe('2 Stücke')
    expect(gaps).toHaveLength(2)
  })
})

describe('sentences of failures', () => {
  test.each([
    [new AppError('notFound'), 'Not found', []],
    [new AppError('notFound', { name: 'nope' }), 'Nothing matches “nope”', []],
    [
      new AppError('ambiguous', { name: 'n', matches: ['a (1)', 'b (2)'] }),
      '“n” matches several records: a (1), b (2)',
      [],
    ],
    [new AppError('failed', { text: 'disk full' }), 'disk full', []],
    [new AppError('conflict', { text: 'changed at noon' }), 'Someone else changed this record', ['changed at noon']],
    [new AppError('failed', { text: '' }), 'The server refused the request', []],
    [new AppError('unreachable', { url: 'http://a.example' }), 'Can’t reach http://a.example', []],
    [new AppError('notFound', { resource: 'cron', id: 12_345 }), 'No record has ID 12345', []],
  ])('%s', (error, title, details) => expect(errorText(english, error)).toMatchObject({ title, details }))

  test('issue 12, friction: a target that is not allowed comes with the way to allow it', () => {
    const error = new AppError('addressRefused', { text: 'HTTP URL target is not allowed', hint: 'outboundAllowlist' })
    expect(errorText(english, error)).toMatchObject({
      title: 'Notifications can’t be sent to this address',
      details: ['HTTP URL target is not allowed'],
      hint: english.t('errors.hint.outboundAllowlist'),
    })
  })

  test.each([
    [{ code: 'tooShort', params: { minimum: 1 } }, 'Must be at least 1 character'],
    [{ code: 'tooShort', params: { minimum: 8 } }, 'Must be at least 8 characters'],
    [{ code: 'notOption', params: { options: ['a', 'b'] } }, 'Must be one of: a, b'],
    [{ code: 'notOption' }, 'Not one of the options'],
    [
      { code: 'schedule', params: { reason: 'fieldCount', found: 5, text: '* * * * *' } },
      'The seconds field is missing; use 0 * * * * *',
    ],
    [
      { code: 'schedule', params: { reason: 'fieldCount', found: 4, text: '* * * *' } },
      'Enter six fields: second minute hour day month weekday; found 4',
    ],
  ] as const)('%j', (problem, text) => expect(problemSentence(english, { field: 'f', ...problem })).toBe(text))
})

test.each([
  ['de', 'de-DE'],
  ['de_AT.UTF-8', 'de-DE'],
  ['zh', 'zh-CN'],
  ['zh_TW.UTF-8', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['en_GB', 'en-US'],
  ['EN-us', 'en-US'],
  ['C', null],
  ['', null],
])('language of %s', (tag, language) => expect(parseLanguage(tag)).toBe(language))
