import { questionOf } from '@qd/core/actions'
import { server } from '@qd/core/resources'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import { ask } from '../../base/state/overlays.ts'
import { session, view } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { ConfirmHost } from './ConfirmHost.tsx'

beforeEach(async () => {
  await showLanguage('en-US')
})
afterEach(cleanup)

/** Asks to delete so many servers; the answer is kept in `answered`. */
function askToDelete(count: number) {
  const rows = Array.from({ length: count }, (_, index) =>
    server.read.parse({ id: index + 1, name: `web-${index + 1}` }),
  )
  const api = { send: async () => null }
  const question = questionOf(server.actions.delete, server, rows, { api, view, viewer: session.viewer() })!
  const answered: boolean[] = []
  render(<ConfirmHost />)
  act(() => void ask(question).then((answer) => answered.push(answer !== null)))
  return answered
}
const mayDelete = () => screen.getByRole('button', { name: /^Delete/ }).getAttribute('aria-disabled') !== 'true'
const settle = () => act(async () => undefined)

test('P-21: the words of the specification, and Mod+Enter goes on', async () => {
  const answered = askToDelete(1)
  expect(screen.getByRole('alertdialog', { name: 'Confirm Deletion?' }).textContent).toContain(
    'This operation cannot be undone!',
  )
  expect(screen.getByText('web-1')).toBeTruthy()
  act(() => void runCommand('confirm'))
  await settle()
  expect(answered).toEqual([true])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('P-20: ten and more wait for the typed words', async () => {
  const answered = askToDelete(12)
  const user = userEvent.setup()
  expect(mayDelete()).toBe(false)
  act(() => void runCommand('confirm'))
  await user.click(screen.getByRole('button', { name: /^Delete/ }))
  await settle()
  expect(answered).toEqual([])
  await user.type(screen.getByLabelText('Type “12 servers” to confirm'), '12 servers')
  expect(mayDelete()).toBe(true)
  await user.click(screen.getByRole('button', { name: /^Delete/ }))
  await settle()
  expect(answered).toEqual([true])
})

test('Cancel answers no', async () => {
  const answered = askToDelete(2)
  await userEvent.setup().click(screen.getByRole('button', { name: /^Cancel/ }))
  await settle()
  expect(answered).toEqual([false])
})
