import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import type { Viewer } from '../define/index.ts'
import { checkRecord, missingSecrets } from '../fields/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { user } from '../resources/index.ts'
import { actionState, confirmOf, isTyped, sayText, wordsToType } from './index.ts'

const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const self = user.read.parse({ id: 1, username: 'admin', role: 0, is_self: true })
const kim = user.read.parse({ id: 2, username: 'kim', role: 1, owns: { server: 3, cron: 1 } })
const lee = user.read.parse({ id: 3, username: 'lee', role: 1, owns: { server: 1 } })
const view = viewOf({ user: [self, kim, lee] })
const confirm = (rows: (typeof kim)[]) => confirmOf(user.actions.delete, user, rows, { view, viewer })!

describe('issue 14: deleting users', () => {
  test('P-20: the name of one must be typed, of several how many they are', () => {
    const words = wordsToType(confirm([kim]), english)
    expect(words).toBe('kim')
    expect([isTyped(words, ' Kim '), isTyped(words, ''), isTyped(words, 'lee')]).toEqual([true, false, false])
    expect(wordsToType(confirm([kim, lee]), english)).toBe('2 users')
  })

  test('what is theirs is told before it is deleted with them', () => {
    expect(confirm([kim, lee]).warnings.map((warning) => sayText(english, warning))).toEqual([
      'Also deletes 4 Servers',
      'Also deletes 1 Task',
    ])
  })

  test('the own record is neither edited nor deleted here', () => {
    const reason = (name: string, row: typeof kim) =>
      actionState(user.actions[name]!, [row], { view, viewer, supports: () => true }).reason?.key ?? null
    expect(['open', 'edit', 'delete'].map((name) => reason(name, self))).toEqual(
      Array.from({ length: 3 }, () => 'resources.user.reasons.self'),
    )
    expect(reason('delete', kim)).toBeNull()
  })
})

test('a password is needed for a new user and may stay for a known one', () => {
  const values = { username: 'kim', role: 1, new_password: '' }
  expect(missingSecrets(user, values)).toEqual([{ field: 'new_password', code: 'required' }])
  expect(checkRecord(user, values, { ...values }).ok).toBe(true)
  expect(checkRecord(user, { ...values, new_password: 'short' }, null)).toMatchObject({
    problems: [{ field: 'new_password', code: 'tooShort' }],
  })
})
