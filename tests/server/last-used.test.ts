import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openShell } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
})
afterAll(() => world.close())

test('issue 12.12: "last used" of a sign-in is its last call, that of a shell what was typed last', async () => {
  const agent = await world.agent()
  const [browser, other] = [await world.login(), await world.login()]
  const shell = await openShell(world, { browser, serverId: 1, agent, ours: true })
  const used = async (kind: string, isCurrent: boolean) => {
    const rows = (await browser.api('GET', 'session')) as {
      kind: string
      is_current?: boolean
      last_used_at: string
    }[]
    return rows.find((row) => row.kind === kind && (row.is_current ?? false) === isCurrent)!.last_used_at
  }
  const began = new Date(clock.now()).toISOString()
  await clock.advance(40_000)
  const now = new Date(clock.now()).toISOString()
  expect(await used('sign-in', false)).toBe(began)
  await other.api('GET', 'profile')
  expect([await used('sign-in', false), await used('sign-in', true), await used('shell', false)]).toEqual([
    now,
    now,
    began,
  ])
  shell.socket.send('ls\n')
  await shell.agent.input()
  expect(await used('shell', false)).toBe(now)
})
