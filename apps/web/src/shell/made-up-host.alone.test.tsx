import type { Resource } from '@qd/core/define'
import { hostRowId, resources, server } from '@qd/core/resources'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { crate } from '../../../../tests/support/crate.ts'
import { setNavigate } from '../act/places/navigate.ts'
import { records, session } from '../base/state/stores.ts'
import { loadAllTexts, showLanguage } from '../base/state/texts.ts'
import { Hosted } from '../record/detail/Hosted.tsx'
import { ResourceList } from '../record/list/ResourceList.tsx'
import { ConfirmHost } from '../record/questions/ConfirmHost.tsx'

const at = '2026-11-20T12:00:00Z'
const rows = [
  { name: 'tea.box', seal: 'whole' },
  { name: 'glass.box', seal: 'broken' },
]
const hosts = [
  { server_id: 1, state: 'read', at, rows },
  { server_id: 2, state: 'offline', at: null },
]
const servers = ['web-1', 'db-1'].map((name, index) => ({ id: index + 1, name, created_at: at, updated_at: at }))
const answers: Readonly<Record<string, unknown>> = {
  server: servers,
  'host/crate': { cursor: 1, servers: [1, 2], hosts },
  'host/crate/lift': { run_id: 7, success: [1], offline: [] },
}
const sent: { path: string; body: unknown }[] = []

/** What the server would answer: the network is all that is made up here. */
async function answer(url: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  const path = new URL(url).pathname.replace('/api/v1/', '')
  if (method !== 'GET') sent.push({ path, body: JSON.parse(String(body)) })
  return Response.json({ success: true, data: answers[path] ?? [] })
}

const observers: ((entries: unknown[]) => void)[] = []
class Observer {
  constructor(report: (entries: unknown[]) => void) {
    observers.push(report)
  }
  observe() {}
  disconnect() {}
}

function Page() {
  setNavigate(useNavigate())
  return (
    <>
      <ResourceList resource={crate as unknown as Resource} />
      <ConfirmHost />
    </>
  )
}

beforeAll(async () => {
  ;(resources as Resource[]).push(crate as unknown as Resource)
  vi.stubGlobal('fetch', answer)
  vi.stubGlobal('IntersectionObserver', Observer)
  // A list draws no rows without room.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  await showLanguage('en-US')
  await loadAllTexts()
  act(() => session.state$.profile.set({ id: 1, username: 'admin', role: 0 } as never))
  act(() => session.state$.capabilities.set(['hosts', 'runs']))
  await act(() => records.load('server'))
})
beforeEach(() => {
  cleanup()
  sent.length = 0
})
afterAll(() => {
  ;(resources as Resource[]).pop()
  vi.unstubAllGlobals()
})

test('records of hosts that no line of the console knows are listed, problems first, with who did not answer, and lifted', async () => {
  render(
    <MemoryRouter initialEntries={['/dashboard/crate']}>
      <Page />
    </MemoryRouter>,
  )
  await screen.findByRole('row', { name: /tea\.box.*whole.*web-1/ })
  const [, first] = screen.getAllByRole('row')
  expect(first?.textContent).toMatch(/glass\.box.*broken.*web-1/)
  expect(screen.getByText('1 of 2 hosts answered')).toBeTruthy()
  expect(screen.getByText(/offline: db-1/)).toBeTruthy()
  const user = userEvent.setup()
  await user.click(within(first!).getByRole('button', { name: 'All actions' }))
  await user.click(await screen.findByRole('menuitem', { name: /crate\.actions\.lift/ }))
  const question = (await screen.findByText('Only web-1')).closest<HTMLElement>('[role=dialog],[role=alertdialog]')!
  await user.click(within(question).getByRole('button', { name: /crate\.actions\.lift/ }))
  const targets = [{ server_id: 1, name: 'glass.box' }]
  await vi.waitFor(() => expect(sent).toEqual([{ path: 'host/crate/lift', body: { targets } }]), 30_000)
})

test('one has a page, and a server’s page shows those on its host', async () => {
  const id = hostRowId(1, 'glass.box')
  render(
    <MemoryRouter initialEntries={[`/dashboard/crate?on=&open=${id}`]}>
      <Page />
    </MemoryRouter>,
  )
  const panel = await screen.findByRole('complementary', { name: 'glass.box' })
  expect(panel.textContent).toMatch(/broken/)
  expect(within(panel).getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe('/dashboard?open=1')
  cleanup()

  render(
    <MemoryRouter>
      <Hosted id={1} resource={server} section={{ kind: 'hosted' }} />
    </MemoryRouter>,
  )
  act(() => observers.forEach((report) => void report([{ isIntersecting: true }])))
  const heading = await screen.findByRole('heading', { name: 'resources.crate.many' })
  await vi.waitFor(() => expect(heading.closest('section')?.textContent).toMatch(/glass\.box.*tea\.box/), 30_000)
})
