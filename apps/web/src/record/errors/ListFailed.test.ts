import { AppError, type ErrorCode } from '@qd/core/errors'
import { expect, test } from 'vitest'
import { showLanguage, texts } from '../../base/state/texts.ts'
import { listFailure } from './ListFailed.tsx'

test.each([
  ['internal', { text: 'db is locked' }, 'Error Fetching Resource : db is locked'],
  ['failed', { text: 'db is locked' }, 'Error Fetching Resource : db is locked'],
  ['internal', {}, 'Error Fetching Resource : Unexpected error, Please see the console for details.'],
] as const)('issue 36.32 a failed list shows the server’s text: %s %j', async (code: ErrorCode, params, said) => {
  await showLanguage('en-US')
  const { title, lines } = listFailure(texts().translator, new AppError(code, params))
  expect(title).toBe(said)
  expect(lines).not.toContain('db is locked')
})
