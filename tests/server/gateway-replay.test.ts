import { createClient, createCookieJar } from '@qd/core/api'
import { describe, expect, test } from 'vitest'
import { closeAfter, createGatewayWorld } from '../support/gateway-world.ts'
import { clocks, nodeFetch } from '../support/peers/fake-dashboard.ts'
import { openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import { startReplay } from '../support/replay/dashboard.ts'
import { sessionOf } from '../support/replay/recordings.ts'

const transfers = { path: '/api/v1/ws/transfer' }

async function gatewayBefore(generation: 1 | 2) {
  const dash = await startReplay({ generation })
  return { dash, gateway: closeAfter(await createGatewayWorld(dash.url)) }
}

describe.each([1, 2] as const)('the gateway before a replayed dashboard of %i.x', (generation) => {
  test('moves are told as the dashboard tells them; one without them says that it has none', async () => {
    const { gateway } = await gatewayBefore(generation)
    const browser = gateway.guest()
    await browser.api('POST', 'login', { username: 'admin', password: 'admin' })
    if (generation === 1) {
      await expect(openSocket({ port: gateway.port }, { ...transfers, browser })).rejects.toBeInstanceOf(RefusedUpgrade)
      return
    }
    const socket = await openSocket({ port: gateway.port }, { ...transfers, browser })
    const { frames } = sessionOf('transfer', 'pending, then verified (agent over TLS)')
    for (const { text } of frames.filter(({ dir, opcode }) => dir === 'in' && opcode === 'text')) {
      const { server_id, status } = JSON.parse(text!) as { server_id: number; status: number }
      expect(await socket.frame()).toMatchObject({ server_id, status })
    }
    socket.close()
  })

  test('a stale token against forgery is replaced once, through it as well', async () => {
    const { dash, gateway } = await gatewayBefore(generation)
    const jar = createCookieJar()
    const ports = { ...clocks, fetch: nodeFetch }
    const client = createClient({ ports, baseUrl: gateway.origin, credentials: { kind: 'jar', jar } })
    await client.login('admin', 'admin')
    dash.forgetsCsrf()
    dash.expects('nat', 'delete: ok')
    await client.send({ method: 'POST', path: 'batch-delete/nat', body: [1, 2] })
    const sent = dash.calls().filter((call) => call === 'POST batch-delete/nat')
    expect(sent).toHaveLength(generation === 1 ? 1 : 2)
  })
})
