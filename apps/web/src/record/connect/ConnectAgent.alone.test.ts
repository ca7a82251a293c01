import { actionOf } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showNotices } from '../../base/state/overlays.ts'
import { records, session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { announceArrivals } from './ConnectAgent.tsx'

let stored: readonly object[] = []
const host = (id: number) => ({ id, name: `web-${id}`, uuid: `u${id}`, last_active: new Date().toISOString() })
const said: string[] = []
const signIn = (id: number) => {
  session.state$.profile.set({ id, username: `admin-${id}`, role: 0 } as never)
  records.open(String(id))
}

beforeEach(async () => {
  await showLanguage('en-US')
  said.length = 0
  showNotices(
    ({ title }) => void said.push(title),
    () => undefined,
  )
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: stored }))
})
afterEach(() => vi.unstubAllGlobals())

test('a server that was there before the list was read has not just connected; the next one has', async () => {
  signIn(1)
  announceArrivals(actionOf(server, 'install'))
  stored = [host(1)]
  await records.load('server')
  expect(said).toEqual([])
  stored = [host(1), host(2)]
  await records.load('server')
  expect(said).toEqual(['web-2 connected'])
})

test('it ends with the sign-in: the servers of the next person have not just connected', async () => {
  signIn(2)
  stored = []
  await records.load('server')
  announceArrivals(actionOf(server, 'install'))
  signIn(3)
  stored = [host(7)]
  await records.load('server')
  expect(said).toEqual([])
})
