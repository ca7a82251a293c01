import { questionOf } from '@qd/core/actions'
import type { Values } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { server } from '@qd/core/resources'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import { layer } from '../../act/keys/keys.ts'
import { ask, questions } from '../../base/state/overlays.ts'
import { session, view } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { ConfirmHost } from './ConfirmHost.tsx'

const rows = ['web-1', 'web-2'].map((name, index) =>
  server.read.parse({ id: index + 1, name, host: { platform: index === 1 ? 'windows' : 'debian' } }),
)
let answers: (Values | null | AppError)[] = []

beforeEach(async () => {
  await showLanguage('en-US')
  answers = []
})
afterEach(() => {
  cleanup()
  questions.current()?.answer(null)
})

/** Asks what the action needs for so many servers; `config` is what an agent answers. */
async function open(name: string, count: number, config: string | null = null) {
  const api = { send: async () => config }
  const action = server.actions[name]!
  const question = questionOf(action, server, rows.slice(0, count), { api, view, viewer: session.viewer() })!
  render(<ConfirmHost />)
  await act(async () => {
    ask(question).then(
      (answer) => answers.push(answer),
      (thrown) => answers.push(thrown),
    )
  })
  return userEvent.setup()
}
const settle = () => act(async () => undefined)
const save = async () => {
  act(() => void runCommand('save'))
  await settle()
}

test('arguments and what they will do stand in one window; a wrong one gets the focus, Mod+Enter runs', async () => {
  const user = await open('exec', 2)
  expect(screen.getByRole('dialog', { name: 'Run command 2 servers' })).toBeTruthy()
  const command = screen.getByLabelText('Command')
  expect([document.activeElement, layer()]).toEqual([command, 'form'])
  expect(screen.getByRole('complementary', { name: 'Preview' })).toBeTruthy()
  await save()
  expect([answers, command.getAttribute('aria-invalid')]).toEqual([[], 'true'])
  await user.type(command, 'uptime')
  await save()
  expect(answers).toEqual([{ command: 'uptime', time_limit: 60 }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('N-08: a force update warns of the hosts that run Windows, by name', async () => {
  await open('force-update', 2)
  expect(screen.getByText(/running Windows.*web-2/)).toBeTruthy()
})

test('an agent’s configuration is read into the form, and only what was changed is sent', async () => {
  const user = await open('config', 1, JSON.stringify({ report_delay: 2, debug: true }))
  const delay = screen.getByLabelText<HTMLInputElement>('Report interval')
  expect([delay.value, screen.getByRole<HTMLInputElement>('switch', { name: 'Verbose logging' }).checked]).toEqual([
    '2s',
    true,
  ])
  await save()
  expect(answers).toEqual([])
  await user.clear(delay)
  await user.type(delay, '4')
  await save()
  expect(answers).toEqual([{ report_delay: 4 }])
})

test('an agent that does not answer ends the question: the window closes and the failure is told', async () => {
  await open('config', 1, '')
  await waitFor(() => expect(answers).toHaveLength(1))
  expect(answers[0]).toMatchObject({ code: 'agentOffline' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('what was typed is not thrown away by one key', async () => {
  const user = await open('exec', 1)
  await user.type(screen.getByLabelText('Command'), 'uptime')
  await user.click(screen.getByRole('button', { name: /^Cancel/ }))
  await user.click(screen.getByRole('button', { name: /^Keep editing/ }))
  expect(answers).toEqual([])
  await user.click(screen.getByRole('button', { name: /^Cancel/ }))
  await user.click(screen.getByRole('button', { name: /^Discard/ }))
  await settle()
  expect(answers).toEqual([null])
})

test('an owner is named by id where users are not known here', async () => {
  const user = await open('move', 1)
  await user.type(screen.getByRole('combobox', { name: /^User/ }), '3{Enter}')
  await save()
  expect(answers).toEqual([{ to_user: 3 }])
})

test('issue 12, beyond: beside a forced update stands from which version to which', async () => {
  await open('force-update', 2)
  expect(screen.getByRole('complementary', { name: 'Preview' }).textContent).toMatch(/2 × unknown version/)
})

test('issue 12: groups of servers: nothing chosen is said at the field, and asks no server', async () => {
  await open('groups', 2)
  expect(screen.getByRole('dialog', { name: 'Change groups 2 servers' })).toBeTruthy()
  await save()
  expect([answers, screen.getByRole('combobox', { name: 'Add to' }).getAttribute('aria-invalid')]).toEqual([[], 'true'])
  expect(screen.getByText('No changes')).toBeTruthy()
})
