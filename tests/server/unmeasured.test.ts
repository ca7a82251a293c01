import type { View } from '@qd/core/define'
import { server as resource } from '@qd/core/resources'
import type { Host } from '@qd/core/schemas'
import type { Task } from '@qd/protocol/agent'
import { agentNews } from '@qd/protocol/task-types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
let agent: SimulatedAgent

beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
  agent = await world.agent()
})
afterAll(() => world.close())

const nothingElse: View = {
  now: Date.now(),
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
}
const live = () => world.server.container.live
const tell = (what: unknown) =>
  agent.answer({ id: 0n, type: agentNews.unmeasured, data: '' } as Task, {
    data: JSON.stringify(what),
    successful: false,
  })

/** A figure as every client works it out from what the server answers. */
const figure = async (name: string) => {
  const [row] = (await browser.api('GET', 'server')) as [unknown]
  return resource.derived[name]!(resource.read.parse(row), nothingElse)
}
const metric = async (name: string) => {
  const { text } = await world.guest().send('GET', '/metrics')
  return new RegExp(`^quarterdeck_server_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1]
}

test('issue 36.1: what an agent can’t measure is no figure anywhere, until it can', async () => {
  expect([await figure('cpu'), await metric('cpu_usage_ratio')]).toEqual([4, '0.04'])
  tell({ metrics: ['cpu', 'load', 'nonsense'], disks: ['/mnt/nfs\u001b[31m', 7] })
  await expect.poll(() => live().hostOf(1).unmeasured).toEqual(['cpu', 'load'])
  agent.report()
  expect([await figure('cpu'), await figure('load'), await figure('processes')]).toEqual([null, null, 0])
  expect(await figure('silent_disks')).toEqual([expect.stringMatching(/^\/mnt\/nfs/)])
  // What was scraped a moment ago is answered again.
  await expect.poll(() => metric('cpu_usage_ratio')).toBeUndefined()
  expect([await metric('load1'), await metric('processes')]).toEqual([undefined, '0'])
  tell({ metrics: [], disks: [] })
  await expect.poll(() => live().hostOf(1).unmeasured).toBeUndefined()
  expect([await figure('cpu'), await figure('silent_disks')]).toEqual([4, []])
})

test('issue 36.2: mount points are nothing for visitors', async () => {
  tell({ metrics: ['swap'], disks: ['/mnt/customer'] })
  await expect.poll(() => live().hostOf(1).silent_disks).toEqual(['/mnt/customer'])
  for (const protocols of [[], ['quarterdeck.live.v1']]) {
    const socket = await openSocket(world, { protocols })
    const frame = JSON.stringify(await socket.frame())
    expect(frame).toContain('"unmeasured":["swap"]')
    expect(frame).not.toContain('customer')
    socket.close()
  }
})

test('issue 36.1: a host report of a new boot keeps it, a new connection begins without it', async () => {
  tell({ metrics: ['swap'], disks: [] })
  await expect.poll(() => live().hostOf(1).unmeasured).toEqual(['swap'])
  agent.vanish()
  const known = (): Pick<Host, 'unmeasured'> => live().hostOf(1)
  agent = await world.agent({ uuid: agent.uuid })
  await expect.poll(() => known().unmeasured).toBeUndefined()
})
