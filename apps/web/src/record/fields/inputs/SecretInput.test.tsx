import { notification } from '@qd/core/resources'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../../../base/state/texts.ts'
import { FormFields } from '../../form/FormFields.tsx'
import { type FormStart, type FormState, useForm } from '../../form/form-state.ts'

const stored = notification.read.parse({ id: 3, name: 'chat', host: 'hooks.example.net', has_body: true })
let state: FormState

function Form({ start }: { start: FormStart }) {
  state = useForm(start, () => undefined)
  return <FormFields state={state} />
}

const secrets = () => {
  const { url, request_header, request_body } = state.form.sent()
  return { url, request_header, request_body }
}

beforeEach(async () => {
  await showLanguage('en-US')
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('what is stored is kept, replaced or cleared; what must be there cannot be cleared', async () => {
  const user = userEvent.setup()
  render(<Form start={{ resource: notification, mode: 'edit', row: stored }} />)
  expect(secrets()).toEqual({ url: '', request_header: '', request_body: '' })
  const url = screen.getByRole('group', { name: /URL/ })
  expect(within(url).getByRole('button', { name: 'Clear' }).getAttribute('aria-disabled')).toBe('true')
  expect(within(url).getByRole('button', { name: 'Clear' }).title).toBe('required')

  const body = () => screen.getByRole('group', { name: /Body/ })
  await user.click(within(body()).getByRole('button', { name: 'Clear' }))
  expect(secrets().request_body).toBeNull()
  await user.click(within(body()).getByRole('button', { name: 'Keep current' }))
  expect(secrets().request_body).toBe('')
  await user.click(within(body()).getByRole('button', { name: 'Replace' }))
  await user.type(screen.getByRole('textbox', { name: 'Body' }), 'hello')
  expect(secrets().request_body).toBe('hello')
  await user.click(screen.getByRole('button', { name: 'Keep current' }))
  expect(secrets().request_body).toBe('')
  expect(screen.queryByRole('textbox', { name: 'Body' })).toBeNull()
})

test('issue 12.9: what is stored is read again as the server masks it, until it is replaced or cleared', async () => {
  const user = userEvent.setup()
  const row = { ...stored, masked_body: '{"token": "••••••"}' }
  render(<Form start={{ resource: notification, mode: 'edit', row }} />)
  const isRead = () => screen.queryByText('{"token": "••••••"}') !== null
  expect(isRead()).toBe(true)
  const body = screen.getByRole('group', { name: /Body/ })
  await user.click(within(body).getByRole('button', { name: 'Clear' }))
  expect(isRead()).toBe(false)
  await user.click(within(body).getByRole('button', { name: 'Keep current' }))
  expect(isRead()).toBe(true)
  expect(secrets().request_body).toBe('')
  await user.click(within(body).getByRole('button', { name: 'Replace' }))
  expect(isRead()).toBe(false)
})

test('where nothing is stored it is an input at once', () => {
  render(<Form start={{ resource: notification, mode: 'edit', row: stored }} />)
  expect(screen.getByRole('textbox', { name: 'Headers' })).toBeTruthy()
})
