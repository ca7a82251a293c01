import { expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { server } from './server.ts'
import { updatePreview } from './server-actions.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const rows = ['0.9.0', '0.10.0', '2.3.3', '', '0.9.0'].map((version, index) => ({ id: index + 1, host: { version } }))
const lines = (version: string) =>
  updatePreview({}, translator, { rows, view: viewOf({ setting: [{ id: 1, version }] }) })

test('issue 12, beyond: a forced update says from which version to which, and what it does not know', () => {
  expect(lines('0.10.0')).toEqual(
    expect.arrayContaining([
      '2 × 0.9.0 → 0.10.0',
      '1 × 0.10.0: up to date',
      '1 × 2.3.3 → latest release',
      '1 × unknown version',
    ]),
  )
  // It stands beside the form that asks for the rollout.
  expect(server.actions['force-update'].args.preview).toBe(updatePreview)
  expect(lines('')).toContain('2 × 0.9.0 → latest release')
})
