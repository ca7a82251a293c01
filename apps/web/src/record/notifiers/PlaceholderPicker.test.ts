import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { placeholders } from '@qd/core/schemas'
import { expect, test } from 'vitest'
import { placeholderWords } from './PlaceholderPicker.tsx'

test('every placeholder says what it stands for, none like another text', async () => {
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  const words = placeholderWords(translator)
  expect(words.map(({ placeholder }) => placeholder)).toEqual(placeholders)
  expect(words.find(({ placeholder }) => placeholder === '#SERVER.MEMTOTAL#')?.meaning).toBe('Memory (total)')
  const messages = words.filter(({ meaning }) => meaning === 'the message')
  expect(messages.map(({ placeholder }) => placeholder)).toEqual(['#NEZHA#'])
})
