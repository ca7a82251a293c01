import { expect, test } from 'vitest'
import { AppError, type Problem } from '../errors.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { logRefusal } from './text.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const invalid = (...problems: Problem[]) => logRefusal(new AppError('invalid', {}, { problems }), translator)

test('why a reading was refused: which value is wrong, and how many hosts one reading takes', () => {
  expect(invalid({ field: 'on', code: 'tooManyItems', params: { maximum: 20 } })).toBe(
    'Logs are read from at most 20 hosts at a time. Enter a query such as group:web.',
  )
  const sentence = translator.t('errors.problem.wrong')
  const named = (field: string) => invalid({ field, code: 'wrong' })
  expect(named('on')).toBe(`${translator.t('ui.hosts.target')}: ${sentence}`)
  for (const field of ['unit', 'container', 'file', 'grep', 'since'] as const)
    expect(named(field)).toBe(`${translator.t(`ui.logs.${field}`)}: ${sentence}`)
  expect(named('lines')).toBe(`lines: ${sentence}`)
  expect(logRefusal(new AppError('unreachable'), translator)).toBe(translator.t('errors.unreachable'))
})
