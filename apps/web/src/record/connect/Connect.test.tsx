import { actionOf, type Values } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import { ports } from '../../base/ports.ts'
import { records, session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { Connect, type Connecting, useConnecting } from './Connect.tsx'

const install = actionOf(server, 'install')
const asked: unknown[] = []
const copied = vi.fn(async () => undefined)
/** What waits for what is typed to stand, and how long. */
const timers = new Map<() => void, number>()
const action = {
  ...install,
  run: async (_context: unknown, _rows: unknown, args: Values) => {
    asked.push(args.hosts)
    return { kind: 'copy' as const, text: `install for ${args.hosts}` }
  },
} as typeof install
let connecting: Connecting

function Page() {
  connecting = useConnecting(action, [], { ...install.args!.initial })
  return <Connect connecting={connecting} caps={['Mod', 'Enter']} />
}

beforeEach(async () => {
  await showLanguage('en-US')
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json({ success: true, data: url.includes('setting') ? { config: { install_host: 'a:1' } } : [] }),
  )
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: copied }, configurable: true })
  session.state$.profile.set({ id: 1, username: 'admin', role: 0 } as never)
  session.state$.capabilities.set(['install'])
  records.open('1')
  await records.load('setting')
  const setTimer = ports.setTimer
  vi.spyOn(ports, 'setTimer').mockImplementation((fire, ms) => {
    if (ms !== 400) return setTimer(fire, ms)
    timers.set(fire, ms)
    return () => timers.delete(fire)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a command, and so a code, is asked for at once, and then only for what stands; Ctrl+Enter copies it', async () => {
  render(<Page />)
  await waitFor(() => expect(screen.getByText('install for 1')).toBeTruthy())
  for (const hosts of [2, 25, 250]) act(() => connecting.edit(() => connecting.form.set('hosts', hosts)))
  expect([asked, timers.size]).toEqual([[1], 1])
  await act(async () => [...timers.keys()][0]!())
  await waitFor(() => expect(screen.getByText('install for 250')).toBeTruthy())
  expect(asked).toEqual([1, 250])
  runCommand('confirm')
  await waitFor(() => expect(copied).toHaveBeenCalledWith('install for 250'))
})
