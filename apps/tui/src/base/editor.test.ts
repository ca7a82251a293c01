import { AppError } from '@qd/core/errors'
import { createTranslator, errorText, loadLanguage } from '@qd/core/i18n'
import { expect, test } from 'vitest'
import { runEditor } from './editor.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })

const failure = (editor: string) =>
  runEditor({ env: { EDITOR: editor } }, '/dev/null').then(
    () => undefined,
    (error: unknown) => error,
  )

test('an editor that is not there is named, and what says which one to use', async () => {
  const error = await failure('no-such-editor --wait')
  if (!(error instanceof AppError)) throw error
  expect(errorText(translator, error)).toEqual({
    title: 'Can’t find the program “no-such-editor”; set $EDITOR to choose an editor',
    details: [],
  })
})

test('an editor that may not be run says why', async () => {
  const error = await failure('/etc/passwd')
  if (!(error instanceof AppError)) throw error
  expect(errorText(translator, error).title).toContain('EACCES')
})
