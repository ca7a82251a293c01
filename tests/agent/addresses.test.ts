import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { Agent } from '@qd/agent/agent'
import { createMachine } from '@qd/agent/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type HostTree, makeHostTree } from '../support/hosts/host-trees.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'
import { startTestAgent } from './world.ts'

let world: World
let browser: Browser
let agent: Agent
let tree: HostTree
let four: Server
let closed: number

/** A port on which nothing listens. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  four = createHttpServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => four.listen(0, '127.0.0.1', resolve))
  closed = await freePort()
  // Of the block for documentation (RFC 5737) nothing is ever heard.
  tree = makeHostTree({
    'etc/hosts':
      '# names of this host\n::1 dual.test other.test # IPv6 first\n127.0.0.1 dual.test\n192.0.2.1 far.test\n127.0.0.1 far.test\n',
  })
  world = await createWorld()
  browser = await world.login()
  agent = startTestAgent(world, { config: { client_secret: siteSecret }, root: tree.root })
  while (!world.server.container.agents.connected(1)) await new Promise((resolve) => setTimeout(resolve, 20))
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  four.close()
  tree.close()
})

/** What a service says once its first results are in. */
const check = async (type: number, target: string) => {
  const id = (await browser.api('POST', 'service', { name: target, type, target, duration: 86_400 })) as number
  let found: Record<string, unknown> = {}
  await expect
    .poll(async () => {
      const services = (await browser.api('GET', 'service/list')) as Record<string, unknown>[]
      // What is left out is empty.
      found = { error: '', answered_by: '', ...services.find((service) => service.id === id) }
      return found.status
    })
    .toBeGreaterThan(1)
  return found
}

describe('issue 36.6: a host with several addresses', () => {
  test('TCP is up if one of them answers, and says which; so is HTTP', async () => {
    expect(await check(3, `dual.test:${portOf(four)}`)).toMatchObject({
      status: 2,
      error: '',
      answered_by: `127.0.0.1:${portOf(four)}`,
    })
    expect(await check(1, `http://dual.test:${portOf(four)}/`)).toMatchObject({ status: 2, error: '', answered_by: '' })
  })

  test('TCP is up if the first address is silent', async () => {
    expect(await check(3, `far.test:${portOf(four)}`)).toMatchObject({
      status: 2,
      answered_by: `127.0.0.1:${portOf(four)}`,
    })
  })

  test('TCP that is down names each address that failed', async () => {
    const { status, error } = await check(3, `dual.test:${closed}`)
    expect(status).toBe(4)
    expect(error).toContain(`dial tcp [::1]:${closed}: connect: `)
    expect(error).toContain(`dial tcp 127.0.0.1:${closed}: connect: connection refused`)
  })

  test('one address is as before', async () => {
    expect(await check(3, `127.0.0.1:${portOf(four)}`)).toMatchObject({ status: 2, answered_by: '' })
  })

  test('a name in /etc/hosts gives all of its addresses, those of both families by turns', async () => {
    const found = await createMachine(tree.root).resolve('dual.test')
    expect(found.toSorted()).toEqual(['127.0.0.1', '::1'])
    expect(await createMachine(tree.root).resolve('OTHER.test')).toEqual(['::1'])
  })
})
