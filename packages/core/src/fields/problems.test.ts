import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { checkInput, problemText } from './index.ts'

const schema = z
  .strictObject({
    name: z.string().min(1).max(5),
    secret: z.string().min(8),
    count: z.int().min(1).max(9),
    on: z.boolean(),
    ids: z.array(z.int()),
    url: z.url(),
    mode: z.enum({ a: 0, b: 1 }),
    map: z.record(z.string().regex(/^\d+$/), z.string()),
    when: z.string(),
  })
  .superRefine((value, context) => {
    if (value.when === '') return
    const problem = { code: 'fieldCount', params: { found: 5, text: value.when } }
    context.addIssue({ code: 'custom', path: ['when'], params: { code: 'schedule', problem } })
  })
const right = {
  name: 'a',
  secret: '12345678',
  count: 1,
  on: true,
  ids: [],
  url: 'http://a',
  mode: 0,
  map: {},
  when: '',
}

describe('checkInput', () => {
  test('valid input comes back', () => expect(checkInput(schema, right)).toEqual({ ok: true, input: right }))

  test.each<[string, object, object]>([
    ['nothing', { name: '' }, { field: 'name', code: 'required' }],
    ['null', { count: null }, { field: 'count', code: 'required' }],
    ['too long', { name: 'abcdef' }, { field: 'name', code: 'tooLong', params: { maximum: 5 } }],
    ['too short', { secret: 'a' }, { field: 'secret', code: 'tooShort', params: { minimum: 8 } }],
    ['a fraction', { count: 1.5 }, { field: 'count', code: 'notInteger' }],
    ['too small', { count: 0 }, { field: 'count', code: 'tooSmall', params: { minimum: 1 } }],
    ['too big', { count: 10 }, { field: 'count', code: 'tooBig', params: { maximum: 9 } }],
    ['a word', { count: 'x' }, { field: 'count', code: 'notNumber' }],
    ['no flag', { on: 1 }, { field: 'on', code: 'notFlag' }],
    ['no list', { ids: 1 }, { field: 'ids', code: 'notList' }],
    ['no text', { name: 1 }, { field: 'name', code: 'notText' }],
    ['no address', { url: 'x' }, { field: 'url', code: 'notUrl' }],
    ['no option', { mode: 7 }, { field: 'mode', code: 'notOption' }],
    ['no id', { map: { x: 'y' } }, { field: 'map', code: 'notId', at: 'x' }],
    ['a key too many', { more: 1 }, { field: 'more', code: 'unknownKey', params: { key: 'more' } }],
    [
      'a schedule',
      { when: '* * * * *' },
      { field: 'when', code: 'schedule', params: { reason: 'fieldCount', found: 5, text: '* * * * *' } },
    ],
  ])('%s', (_name, change, problem) => {
    expect(checkInput(schema, { ...right, ...change })).toEqual({ ok: false, problems: [problem] })
  })

  test('something that is no record', () => {
    expect(checkInput(schema, null)).toEqual({ ok: false, problems: [{ field: '', code: 'required' }] })
  })
})

test('the line names the field', async () => {
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  const required = translator.t('errors.problem.required')
  const line = (field: string) => problemText(translator, { name: 'cron' }, { field, code: 'required' })
  expect(['name', '', 'strange'].map(line)).toEqual([`Name: ${required}`, required, `strange: ${required}`])
})
