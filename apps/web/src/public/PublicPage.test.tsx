import { observable } from '@legendapp/state'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../base/state/texts.ts'
import type { PublicState } from './feed.ts'
import { PublicPage } from './PublicPage.tsx'

await showLanguage('en-US')
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('issue 12.5: the ages of problems go on while the page is looked at', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  const server = {
    id: 1,
    name: 'web-1',
    note: '',
    isKnown: true,
    load: { figure: 'cpu' as const, value: 5 },
    busy: { is: false, against: 0 },
    maintenanceUntil: null,
    nextMaintenance: null,
    sample: { host: {}, state: {} },
  }
  const state$ = observable<PublicState>({
    site: 'Site',
    language: 'en-US',
    code: '',
    heardAt: Date.now(),
    servers: [
      { ...server, isOnline: true, lastActive: '2026-11-20T12:00:00Z' },
      { ...server, id: 2, name: 'web-2', isOnline: false, lastActive: '2026-11-20T11:58:00Z' },
    ],
    groups: [],
    services: [],
    incidents: [
      {
        id: 1,
        source: 'alert',
        name: 'CPU high',
        serverId: 1,
        openedAt: '2026-11-20T11:56:00Z',
        reading: null,
        isPlanned: false,
      },
    ],
    isRead: true,
    feed: { status: 'live' },
    isClosed: false,
  })
  const { container } = render(<PublicPage state$={state$} hasSession={false} />)
  expect(container.textContent).toMatch(/2 min ago.*4 min ago/)
  act(() => void vi.advanceTimersByTime(60_000))
  expect(container.textContent).toMatch(/3 min ago.*5 min ago/)
})
