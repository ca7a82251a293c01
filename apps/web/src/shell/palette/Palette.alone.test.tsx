import type { SearchEntry } from '@qd/core/actions'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { overlays$ } from '../../base/state/overlays.ts'
import { records, session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'

const chosen: SearchEntry[] = []
vi.mock('./choose.ts', () => ({
  choose: async (entry: SearchEntry) => {
    chosen.push(entry)
    return null
  },
  chooseGiven: async () => null,
  linkOf: () => null,
}))
const { Palette } = await import('./Palette.tsx')
const { cliOf } = await import('./Palette.tsx')

const stored: Readonly<Record<string, readonly object[]>> = {
  server: ['web-1', 'web-2', 'db-1'].map((name, index) => ({ id: index + 1, name, uuid: `u${index}` })),
  'server-group': ['web', 'shop', 'web eu'].map((name, index) => ({ group: { id: index + 7, name }, servers: [1] })),
  cron: [{ id: 4, name: 'web backup', command: 'true', scheduler: '0 0 3 * * *' }],
}

beforeEach(async () => {
  await showLanguage('en-US')
  vi.stubGlobal('fetch', async (url: string) => {
    const path = new URL(url, 'http://x').pathname.split('/').at(-1)!
    return Response.json({ success: true, data: stored[path] ?? [] })
  })
  session.state$.profile.set({ id: 1, username: 'admin', role: 0 } as never)
  records.open('1')
  for (const name of ['server', 'server-group', 'cron'] as const) await records.load(name)
})
afterEach(() => {
  act(() => overlays$.palette.set(null))
  cleanup()
  vi.unstubAllGlobals()
})

test('the palette reads no hosts', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://x').pathname)
    return Response.json({ success: true, data: [] })
  })
  act(() => overlays$.palette.set({ mode: 'all' }))
  render(<Palette />)
  await waitFor(() => expect(asked).toContain('/api/v1/nat'))
  expect(asked.filter((path) => path.startsWith('/api/v1/host/'))).toEqual([])
})

const words = ['group', 'edit', 'run', 'delete', 'web', 'web-2', 'shop', 'backup', 'new', 'tasks', '>', '#', ' ', 'x']
const typing = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((parts) => parts.join(' '))
const steps = fc.array(fc.tuple(typing, fc.nat(3)), { minLength: 1, maxLength: 4 })

test('issue 12.1: what is lit, what the line below says and what Enter does are one thing, whatever is typed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (typed) => {
      cleanup()
      act(() => overlays$.palette.set({ mode: 'all' }))
      render(<Palette />)
      const input = screen.getByRole('combobox')
      for (const [query, down] of typed) {
        chosen.length = 0
        await act(async () => fireEvent.change(input, { target: { value: query } }))
        for (let times = 0; times < down; times++)
          await act(async () => fireEvent.keyDown(input, { key: 'ArrowDown', code: 'ArrowDown' }))
        const lines = screen.queryAllByRole('option')
        const values = lines.map((line) => line.getAttribute('data-value'))
        expect(values).toEqual([...new Set(values)])
        if (lines.length === 0) continue
        const lit = lines.filter((line) => line.getAttribute('aria-selected') === 'true')
        expect(lit).toHaveLength(1)
        const isBlocked = lit[0]!.hasAttribute('data-off')
        const [title] = [...lit[0]!.querySelectorAll('[title]')].map((label) => label.getAttribute('title'))
        const said = document.querySelector('code')?.getAttribute('title') ?? null
        await act(async () => fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' }))
        const [entry] = chosen
        // An action without its object asks for it in the palette itself.
        if (isBlocked || title === undefined || screen.queryByRole('button', { name: 'Back' }) || !entry) break
        expect([entry.title, cliOf(entry)]).toEqual([title, said])
      }
    }),
    { numRuns: 8, seed: 12, examples: [[[['group web', 2]]]] },
  )
  act(() => overlays$.palette.set(null))
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
})

test('Reinstall has its own window, which waits for the server: the palette doesn’t ask for its arguments', async () => {
  session.state$.capabilities.set(['install'])
  chosen.length = 0
  act(() => overlays$.palette.set({ mode: 'all' }))
  render(<Palette />)
  const input = screen.getByRole('combobox')
  await act(async () => fireEvent.change(input, { target: { value: 'reinstall web-2' } }))
  await act(async () => fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' }))
  await waitFor(() =>
    expect(chosen.map(({ goal }) => goal.kind === 'action' && goal.action.name)).toEqual(['reinstall']),
  )
})
