import { expect, test } from 'vitest'
import { serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { relatedRows } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })

test('records that name one in a list are related to it, like those that name it alone', () => {
  const groups = [
    { id: 1, name: 'web', servers: [3, 4] },
    { id: 2, name: 'db', servers: [4] },
  ]
  const surface = {
    translator,
    format: createFormat({ translator, timeZone: 'UTC' }),
    view: viewOf({ server: [serverRow({ id: 3 })], 'server-group': groups }),
    viewer: { id: 1, username: 'admin', role: 0, scopes: null },
  }
  const section = { kind: 'related', of: 'server-group', by: 'servers', fields: ['name'] } as const
  expect(relatedRows(surface, section, 3).map(({ id }) => id)).toEqual([1])
  expect(relatedRows(surface, section, 4).map(({ id }) => id)).toEqual([2, 1])
})
