import { server, setting } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { loadAllTexts, showLanguage, texts } from '../../base/state/texts.ts'
import { savedName } from './form-state.ts'

test('issue 36.37 saving the settings says so, and not that the site was saved', async () => {
  await showLanguage('en-US')
  await loadAllTexts()
  const { translator } = texts()
  const sent = { site_name: 'Quarterdeck', name: 'web-1' }
  expect(savedName(translator, { resource: setting, sent, before: null })).toBe('settings')
  expect(savedName(translator, { resource: server, sent, before: null })).toBe('web-1')
  expect(savedName(translator, { resource: server, sent: {}, before: { id: 1, name: 'web-2' } })).toBe('web-2')
})
