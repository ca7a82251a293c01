import type { Resource, ServerCheck } from '@qd/core/define'
import { notification } from '@qd/core/resources'
import type { FormModel } from '@qd/core/view'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import { session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { ServerCheckPanel } from './ServerCheckPanel.tsx'

const sent: { body: unknown; answer: (data: object) => void; isCancelled: () => boolean }[] = []

beforeEach(async () => {
  await showLanguage('en-US')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  sent.length = 0
  session.state$.capabilities.set(['try'])
  vi.stubGlobal('fetch', (_url: string, { body, signal }: RequestInit) => {
    return new Promise((resolve) => {
      sent.push({
        body: JSON.parse(String(body)),
        isCancelled: () => signal!.aborted,
        answer: (data) =>
          resolve(new Response(JSON.stringify(data), { headers: { 'Content-Type': 'application/json' } })),
      })
    })
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  session.state$.capabilities.set([])
})

const check = (when: ServerCheck['when']): ServerCheck => ({
  when,
  capability: 'try',
  call: (values) => ({ method: 'POST', path: 'try', body: { name: values.name } }),
  report: (answer) => () => [{ text: `says ${answer}`, tone: 'ok' }],
})
const resourceWith = (when: ServerCheck['when']) =>
  ({ ...notification, serverChecks: { test: check(when) } }) as unknown as Resource
const formOf = (resource: Resource, name: string, wrong: string[] = []): FormModel =>
  ({
    resource,
    base: null,
    sent: () => ({ name }),
    problems: () => wrong.map((field) => ({ field, code: 'required' })),
  }) as unknown as FormModel
const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms))

test('values at rest are asked about once; a newer question cancels the one before', async () => {
  const resource = resourceWith('typed')
  const { rerender } = render(<ServerCheckPanel form={formOf(resource, 'a')} />)
  await settle(100)
  rerender(<ServerCheckPanel form={formOf(resource, 'ab')} />)
  await settle(1000)
  expect(sent.map(({ body }) => body)).toEqual([{ name: 'ab' }])
  rerender(<ServerCheckPanel form={formOf(resource, 'abc')} />)
  await settle(1000)
  expect([sent.length, sent[0]!.isCancelled()]).toEqual([2, true])
  sent[1]!.answer({ success: true, data: 'hello' })
  await settle(10)
  expect(screen.getByText('says hello')).toBeTruthy()
})

test('nothing is asked while what it sends is wrong, other fields do not matter', async () => {
  const resource = resourceWith('typed')
  const { rerender } = render(<ServerCheckPanel form={formOf(resource, '', ['name'])} />)
  await settle(1000)
  expect(sent).toHaveLength(0)
  rerender(<ServerCheckPanel form={formOf(resource, 'x', ['url'])} />)
  await settle(1000)
  expect(sent).toHaveLength(1)
})

test('a check that is asked for waits for its button or its key; what failed is said', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  render(<ServerCheckPanel form={formOf(resourceWith('asked'), 'a')} />)
  await settle(1000)
  expect(sent).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: /Send test/ }))
  sent[0]!.answer({ error: 'no receiver' })
  await settle(10)
  expect(screen.getByRole('alert').textContent).toContain('no receiver')
  act(() => void runCommand('testDraft'))
  expect(sent).toHaveLength(2)
})

test('a server that does not offer it: grey, with the reason', async () => {
  session.state$.capabilities.set([])
  render(<ServerCheckPanel form={formOf(resourceWith('asked'), 'a')} />)
  expect(screen.getByRole('button', { name: /Send test/ }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText('not supported by this server')).toBeTruthy()
  act(() => void runCommand('testDraft'))
  expect(sent).toHaveLength(0)
})
