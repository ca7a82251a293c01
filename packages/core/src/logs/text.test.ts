import { expect, test } from 'vitest'
import { AppError, type Problem } from '../errors/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { logRefusal } from './text.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const invalid = (...problems: Problem[]) => logRefusal(new AppError('invalid', {}, { problems }), translator)

test('why a reading was refused: which value is wrong, and how many hosts one reading takes', () => {
  expect(invalid({ field: 'on', code: 'tooManyItems', params: { maximum: 20 } })).toBe(
    'Logs are read from at most 20 hosts at a time. Enter a query such as group:web.',
  )
  expect(invalid({ field: 'grep', code: 'wrong' })).toMatch(/^grep: ./)
  expect(logRefusal(new AppError('unreachable'), translator)).toBe(translator.t('errors.unreachable'))
})
