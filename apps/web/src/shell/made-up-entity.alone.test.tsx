import { questionOf } from '@qd/core/actions'
import type { Resource, ResourceName } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { berth } from '../../../../tests/support/berth.ts'
import { runCommand } from '../act/keys/commands.ts'
import { setNavigate } from '../act/places/navigate.ts'
import { ask, overlays$, questions } from '../base/state/overlays.ts'
import { actionContext, records, session } from '../base/state/stores.ts'
import { loadAllTexts, showLanguage } from '../base/state/texts.ts'
import { FormHost } from '../record/form/FormHost.tsx'
import { ResourceList } from '../record/list/ResourceList.tsx'
import { ConfirmHost } from '../record/questions/ConfirmHost.tsx'

const name = 'berth' as ResourceName
const common = {
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  code: '',
  has_code: true,
  lit: false,
}
const berths = [
  { ...common, id: 1, name: 'pier 1', tasks: [7], notification_group_id: 0, beside: 9 },
  { ...common, id: 9, name: 'pier 9', tasks: [], notification_group_id: 0, beside: 0 },
]
const lists: Readonly<Record<string, readonly object[]>> = { berth: berths, cron: [{ id: 7, name: 'mend' }] }
const sent: { method: string; path: string; body: unknown }[] = []

/** What the server would answer: the network is all that is made up here. */
async function answer(url: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  const path = new URL(url).pathname.replace('/api/v1/', '')
  if (method !== 'GET') sent.push({ method, path, body: JSON.parse(String(body)) })
  const data = method === 'GET' ? (lists[path] ?? []) : 10
  return new Response(JSON.stringify({ success: true, data }), { headers: { 'content-type': 'application/json' } })
}

function Page() {
  setNavigate(useNavigate())
  return (
    <>
      <ResourceList resource={berth as unknown as Resource} />
      <FormHost />
      <ConfirmHost />
    </>
  )
}

const draw = (path: string) =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <Page />
    </MemoryRouter>,
  )

beforeAll(async () => {
  ;(resources as Resource[]).push(berth as unknown as Resource)
  vi.stubGlobal('fetch', answer)
  // A list draws no rows without room.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  await showLanguage('en-US')
  await loadAllTexts()
  act(() => session.state$.profile.set({ id: 1, username: 'admin', role: 0 } as never))
})
beforeEach(() => {
  cleanup()
  sent.length = 0
})
afterAll(() => {
  ;(resources as Resource[]).pop()
  vi.unstubAllGlobals()
})

test('issue 13: an entity that no line of the console knows is listed, and its form makes one', async () => {
  draw('/dashboard/berth')
  expect(await screen.findByRole('row', { name: /pier 1.*mend/ })).toBeTruthy()
  act(() => overlays$.form.set({ resource: name, mode: 'create', id: null }))
  const form = await screen.findByRole('dialog')
  await userEvent.setup().type(within(form).getByLabelText('resources.berth.fields.name'), 'pier 10')
  act(() => void runCommand('save'))
  await vi.waitFor(
    () => expect(sent).toEqual([{ method: 'POST', path: 'berth', body: expect.objectContaining({ name: 'pier 10' }) }]),
    30_000,
  )
})

test('issue 13: its detail page shows facts, links and by what it is used; so does the question before it is deleted', async () => {
  draw('/dashboard/berth?open=1')
  const first = await screen.findByRole('complementary', { name: 'pier 1' })
  expect(within(first).getByRole('link', { name: 'mend' }).getAttribute('href')).toBe('/dashboard/cron?open=7')
  expect(await within(first).findByText('Not used anywhere')).toBeTruthy()
  cleanup()

  draw('/dashboard/berth?open=9')
  const ninth = await screen.findByRole('complementary', { name: 'pier 9' })
  expect(within(ninth).getByRole('heading', { name: 'Used by' })).toBeTruthy()
  expect(within(ninth).getByRole('link', { name: 'pier 1' }).getAttribute('href')).toBe('/dashboard/berth?open=1')

  const remove = berth.actions.delete!
  const rows = [records.peek(name, 9)!]
  await act(async () => void ask(questionOf(remove, berth as unknown as Resource, rows, actionContext())!))
  const question = await screen.findByRole('alertdialog')
  expect(within(question).getByText(/Used by .*pier 1/)).toBeTruthy()
  act(() => questions.current()?.answer(null))
})
