import { observable } from '@legendapp/state'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showLanguage, texts } from '../state/texts.ts'
import type { PublicState } from './feed.ts'
import { PublicPage } from './PublicPage.tsx'
import { troubleText } from './trouble-text.ts'

await showLanguage('en-US')
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('issue 12.5: the ages of troubles go on while the page is looked at', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  const server = {
    id: 1,
    name: 'web-1',
    note: '',
    isKnown: true,
    load: { figure: 'cpu' as const, value: 5 },
    busy: { is: false, against: 0 },
    maintenanceUntil: null,
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
        isQuiet: false,
      },
    ],
    isRead: true,
    feed: { status: 'live' },
    isClosed: false,
  })
  const { container } = render(<PublicPage state$={state$} hasSession={false} />)
  expect(container.textContent).toMatch(/4 min ago.*2 min ago/)
  act(() => void vi.advanceTimersByTime(60_000))
  expect(container.textContent).toMatch(/5 min ago.*3 min ago/)
})

test.each([
  ['offline', 'web-1 is offline'],
  ['cpu', 'Problem on web-1'],
])('issue 36.36 visitors read which server is affected, not the name of a rule: %s', (metric, said) => {
  const reading = { metric, value: null, limit: null }
  expect(troubleText(texts().t, { reading, server: 'web-1' })).toBe(said)
})
