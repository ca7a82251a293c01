import { describe, expect, test } from 'vitest'
import { now, viewOf } from '../../../../tests/support/core/rows.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { maintenanceWindow } from '../resources/index.ts'
import { createForm } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const open = () =>
  createForm({ resource: maintenanceWindow, mode: 'create', row: null, view: viewOf({}), viewer, translator })

describe('issue 10: +2h of the end of a window counts from its start', () => {
  const at = (form: ReturnType<typeof open>) => [form.values().starts_at, form.values().ends_at]

  test('whichever is typed first, and it moves with the start', () => {
    const form = open()
    form.setText('ends_at', '+2h')
    expect(form.values().ends_at).toBe(new Date(now + 7_200_000).toISOString())
    form.setText('starts_at', '2026-12-01T10:00:00Z')
    expect(at(form)).toEqual(['2026-12-01T10:00:00Z', '2026-12-01T12:00:00.000Z'])
    form.setText('starts_at', '2026-12-02T10:00:00Z')
    expect(at(form)).toEqual(['2026-12-02T10:00:00Z', '2026-12-02T12:00:00.000Z'])
    expect(form.text('ends_at')).toBe('+2h')
  })
  test('a time that was typed as one stays', () => {
    const form = open()
    form.setText('starts_at', '2026-12-01T10:00:00Z')
    form.setText('ends_at', '2026-12-01T11:00:00Z')
    form.setText('starts_at', '2026-12-01T10:30:00Z')
    expect(form.values().ends_at).toBe('2026-12-01T11:00:00Z')
  })
})
