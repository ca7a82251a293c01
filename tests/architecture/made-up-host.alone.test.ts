import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCrateWorld } from '../agent/crate-world.ts'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'

let world: Awaited<ReturnType<typeof createCrateWorld>>
let root: Browser
beforeAll(async () => {
  world = await createCrateWorld()
  root = await world.login()
}, 60_000)
afterAll(() => world?.close())

const read = async () => {
  const { hosts } = (await root.api('GET', 'host/crate')) as { hosts: { state: string; rows: object[] }[] }
  return hosts
}
const broken = { name: 'glass.box', seal: 'broken' }
const whole = { name: 'tea.box', seal: 'whole' }

test('a kind of host record that no line of the server knows is read, acted on as a run, and read again', async () => {
  await expect.poll(read, { timeout: 30_000 }).toMatchObject([{ state: 'read', rows: [broken, whole] }])
  const targets = [{ server_id: world.serverId, name: 'glass.box' }]
  const { run_id } = (await root.api('POST', 'host/crate/lift', { targets })) as { run_id: number }
  await expect
    .poll(() => root.api('GET', `run/${run_id}`), { timeout: 30_000 })
    .toMatchObject({
      command: 'crane -- glass.box',
      items: [{ server_id: world.serverId, state: 'success', exit_code: 0, output: 'lifted glass.box\n' }],
    })
  await expect.poll(read, { timeout: 30_000 }).toMatchObject([{ rows: [{ ...broken, seal: 'whole' }, whole] }])
  expect((await root.send('POST', '/api/v1/host/crate/drop', { body: { targets } })).status).toBe(404)
})

test('its paths are in the description of the API, with their scopes', async () => {
  const { paths } = (await world.guest().send('GET', '/api/v1/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { operationId: string; 'x-scopes': string[] }>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [path, operation.operationId, operation['x-scopes']]),
  )
  expect(operations.filter(([path]) => path?.includes('crate'))).toEqual([
    ['/host/crate', 'crate.list', ['nezha:server:read']],
    ['/host/crate/lift', 'crate.lift', ['nezha:server:exec']],
  ])
})

test('programs find its tools, read it, and act on it after a preview', async () => {
  const { config } = (await root.api('GET', 'setting')) as { config: Record<string, unknown> }
  await root.api('PATCH', 'setting', { user_template: 'user-dist', ...config, enable_mcp: true })
  const { token } = await createScript(world, root, { scopes: ['nezha:server:*', 'nezha:cron:read'] })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.origin}/mcp`), { requestInit }))
  const call = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content)
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('crate.'))).toEqual([
      'crate.ls',
      'crate.get',
      'crate.lift',
    ])
    expect(await call('crate.ls', { select: 'name:tea', fields: ['name'] })).toContain('tea.box')
    const lift = { records: ['tea.box'] }
    expect(await call('crate.lift', lift)).toContain('host/crate/lift')
    expect(await call('crate.lift', { ...lift, dry_run: false })).toContain('lifted tea.box')
  } finally {
    await client.close()
  }
})
