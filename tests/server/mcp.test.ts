import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createScript, type Script } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { createBrowser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
let reader: Script
let ids: number[]
/** What the hosts print when they are asked for their units. */
const units = '#@ systemctl\nId=nginx.service\nLoadState=loaded\nActiveState=active\n'

const settings = async (change: object) => {
  const { config } = (await root.api('GET', 'setting')) as { config: Record<string, unknown> }
  await root.api('PATCH', 'setting', { user_template: 'user-dist', ...config, ...change })
}

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  for (const n of [1, 2]) {
    await world.agent({
      uuid: `1111111${n}-1111-4111-8111-111111111111`,
      onCommand: (command) =>
        command.includes('#@ systemctl')
          ? { data: units, successful: true }
          : command.includes('false')
            ? { data: 'no\n', successful: false, delay: 0.1 }
            : { data: `${command}\n`, successful: true, delay: 0.1 },
    })
  }
  await vi.waitFor(async () => expect(await root.api('GET', 'server')).toHaveLength(2), { timeout: 30_000 })
  ids = ((await root.api('GET', 'server')) as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
  reader = await createScript(world, root, { scopes: ['nezha:inventory:read', 'nezha:cron:read'] })
  await settings({ enable_mcp: true })
})
afterAll(() => world.close())

const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

/** The client that programs use, from npm, with an API token of its own: each has only so many calls a second. */
async function connect(scopes: readonly string[], limits: { server_ids?: readonly number[] } = {}): Promise<Client> {
  const { token } = await createScript(world, root, { scopes, ...limits })
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.origin}/mcp`), { requestInit }))
  return client
}

interface ToolAnswer {
  isError?: boolean
  _meta?: { error_code?: string }
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
}
/** Calls a tool; one that is refused for the number of calls is called again, as a program does. */
const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  vi.waitFor(async () => {
    const answer = (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer
    if (answer._meta?.error_code === 'rate_limited') throw new Error('rate limited')
    return answer
  }, 30_000)
const dataOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { structuredContent, isError, content } = await call(client, name, args)
  expect(isError, content[0]!.text).toBeUndefined()
  return structuredContent!
}
const errorOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { isError, content } = await call(client, name, args)
  expect(isError).toBe(true)
  return content[0]!.text
}

interface Described {
  name: string
  inputSchema: object
  outputSchema: object
}
/** What programs depend on; the recording leaves out free texts. */
const withoutTexts = ({ name, inputSchema, outputSchema }: Described) =>
  JSON.parse(JSON.stringify({ name, inputSchema, outputSchema }), (key, value: unknown) =>
    key === 'description' ? undefined : value,
  ) as Described

/** One message as it goes over the wire. */
const post = (body: unknown, headers: Record<string, string> = {}) =>
  createBrowser(world.origin).send('POST', '/mcp', { bare: true, body, headers })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('issue 14: tools for programs (contract http-api 3.22)', () => {
  test('a real client lists the servers, runs a command and reads its log', async () => {
    const client = await connect(['nezha:*'])
    expect(client.getServerVersion()).toMatchObject({ name: 'quarterdeck' })
    const { servers } = await dataOf(client, 'server.list', { online_only: true })
    expect(servers).toMatchObject(ids.map((id) => ({ id, online: true, platform: 'debian' })))
    expect(await dataOf(client, 'server.exec', { server_id: ids[0], cmd: 'uptime' })).toMatchObject({
      ...{ exit_code: 0, stdout: 'uptime\n', stderr: '' },
    })
    const done = await dataOf(client, 'exec', { records: ids, command: 'false; x', dry_run: false })
    expect(done).toMatchObject({ done: true, is_over: true })
    expect(await dataOf(client, 'run.get', { record: done.run })).toMatchObject({
      command: 'false; x',
      items: ids.map((id) => ({ server_id: id, state: 'failure', output: 'no\n' })),
    })
    expect(await dataOf(client, 'meta.whoami')).toMatchObject({
      is_admin: true,
      token_name: 'script',
      scopes: ['nezha:*'],
    })
  })

  test('every action is a tool: dry run first, with the sentence about what it reaches', async () => {
    const client = await connect(['nezha:*'])
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'cron.run',
        'server.config',
        'waf.unblock',
        'nat.enable',
        'setting.edit',
        'unit.ls',
        'unit.restart',
      ]),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => /^(account|session|api-token|sign-in-provider)\.|shell/.test(name))).toEqual([])
    const tool = tools.find(({ name }) => name === 'cron.create')!
    expect(tool.inputSchema.properties).toMatchObject({
      name: { type: 'string' },
      task_type: { enum: ['scheduled', 'triggered'] },
      dry_run: { default: true },
    })
    const task = { name: 'nightly', command: 'true', task_type: 'triggered', cover: 'onlyListed', servers: [ids[0]] }
    expect(await dataOf(client, 'cron.create', task)).toMatchObject({
      dry_run: true,
      calls: [{ method: 'POST', path: '/api/v1/cron' }],
    })
    expect(await root.api('GET', 'cron')).toBeNull()
    const { id } = await dataOf(client, 'cron.create', { ...task, dry_run: false })
    expect(await dataOf(client, 'cron.run', { records: ['nightly'] })).toMatchObject({
      ...{ dry_run: true, reaches: expect.stringMatching(/^Only /), online: [{ id: ids[0] }], offline: [] },
      calls: [{ method: 'POST', path: `/api/v1/cron/${id}/manual` }],
    })
    expect(await dataOf(client, 'cron.run', { records: ['nightly'], dry_run: false })).toMatchObject({
      record: { state: 'success' },
    })
    await dataOf(client, 'cron.edit', { record: id, name: 'daily', dry_run: false })
    expect(await dataOf(client, 'cron.ls', { select: 'name:daily', fields: ['name', 'command'] })).toEqual({
      total: 1,
      records: [{ name: 'daily', command: 'true' }],
    })
    expect(await dataOf(client, 'cron.delete', { records: [id] })).toMatchObject({
      dry_run: true,
      records: [{ name: 'daily' }],
    })
    expect(await dataOf(client, 'cron.delete', { records: [id], dry_run: false })).toMatchObject({ removed: [id] })
    expect(await root.api('GET', 'cron')).toBeNull()
  })

  test('what runs on hosts is named as in qd: on one server, or by its short name on all', async () => {
    for (const [index, id] of ids.entries()) await root.api('PATCH', `server/${id}`, { name: `web-${index + 1}` })
    const client = await connect(['nezha:*'])
    const reached = async (word: string) => {
      const { calls } = await dataOf(client, 'unit.restart', { records: [word] })
      const [{ path, body }] = calls as [{ path: string; body: { targets: { server_id: number }[] } }]
      expect(path).toBe('/api/v1/host/unit/restart')
      return body.targets.map(({ server_id }) => server_id).sort((a, b) => a - b)
    }
    expect(await reached('web-1/nginx')).toEqual([ids[0]])
    expect(await reached(`${ids[1]}/NGINX.service`)).toEqual([ids[1]])
    expect(await reached('nginx')).toEqual(ids)
    expect(await reached('nginx.service')).toEqual(ids)
    expect(await dataOf(client, 'unit.get', { record: 'web-2/nginx' })).toMatchObject({ server_id: ids[1] })
    expect(await errorOf(client, 'unit.get', { record: 'nginx' })).toMatch(
      /nginx\.service \(\d+\).*nginx\.service \(\d+\)/s,
    )
    expect(await errorOf(client, 'unit.restart', { records: ['web-3/nginx'] })).toContain('web-3/nginx')
    const task = { name: 'x', command: 'true', task_type: 'triggered', cover: 'onlyListed', servers: ['web-2'] }
    // The first call of a client knows no server yet.
    expect(await dataOf(await connect(['nezha:*']), 'cron.create', task)).toMatchObject({
      calls: [{ body: { servers: [ids[1]] } }],
    })
  })

  test('the tools of the contract have its schemas', async () => {
    const recorded = (
      JSON.parse(readFileSync(new URL('../data/fixtures/http/mcp.json', import.meta.url), 'utf8')) as {
        name: string
        response: { body: { result: { tools: Described[] } } }
      }[]
    ).find(({ name }) => name.startsWith('tools/list'))!
    const listed = ((await (await connect(['nezha:*'])).listTools()).tools as unknown as Described[]).map(withoutTexts)
    const ours = recorded.response.body.result.tools.map(withoutTexts)
    expect(ours).toHaveLength(10)
    for (const tool of ours) expect(listed).toContainEqual(tool)
  })

  test('the audit log names the token', async () => {
    const client = await connect(['nezha:*'])
    await dataOf(client, 'server.exec', { server_id: ids[0], cmd: 'whoami' })
    const { value } = (await root.api('GET', 'audit')) as { value: { action: string }[] }
    expect(JSON.stringify(value.find(({ action }) => action === 'server exec'))).toContain('script')
  })
})

describe('issue 14: tools misused', () => {
  test('a token without the scope is not listed the tool, and is refused', async () => {
    const client = await connect(['nezha:inventory:read', 'nezha:cron:read'])
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['server.exec', 'cron.ls', 'run.get']))
    expect(names).not.toContain('cron.run')
    expect(await errorOf(client, 'server.exec', { server_id: ids[0], cmd: 'id' })).toBe(
      'missing required scope: nezha:server:exec',
    )
    expect(await errorOf(client, 'cron.create', { name: 'x', dry_run: false })).toBe(
      'missing required scope: nezha:cron:write',
    )
  })

  test('a token for some servers sees and reaches no other', async () => {
    const client = await connect(['nezha:*'], { server_ids: [ids[0]!] })
    expect(await dataOf(client, 'server.list')).toMatchObject({ count: 1, servers: [{ id: ids[0] }] })
    expect(await errorOf(client, 'server.get', { server_id: ids[1] })).toMatch(/Nothing matches/)
    expect(await errorOf(client, 'server.exec', { server_id: ids[1], cmd: 'id' })).toMatch(/Nothing matches/)
    expect(await errorOf(client, 'exec', { records: [ids[1]], command: 'id', dry_run: false })).toMatch(
      /Nothing matches/,
    )
    expect(await errorOf(client, 'setting.edit', { site_name: 'mine', dry_run: false })).not.toBe('')
    expect(((await root.api('GET', 'setting')) as { config: { site_name: string } }).config.site_name).not.toBe('mine')
  })

  test('issue 36.22 an argument that a tool doesn’t have is named, with the nearest one', async () => {
    const client = await connect(['nezha:*'])
    expect(await errorOf(client, 'cron.run', { records: ['nobody'], dryrun: false })).toBe(
      'invalid arguments: unknown property dryrun; did you mean dry_run?',
    )
    expect(await errorOf(client, 'cron.run', { records: ['nobody'], zzzz: 1 })).toMatch(
      /unknown property zzzz; available: records, select, /,
    )
  })

  test('bad arguments, unknown tools and records get an error that says what', async () => {
    const client = await connect(['nezha:*'])
    expect(await errorOf(client, 'server.exec', { cmd: 1 })).toMatch(/invalid arguments.*server_id/)
    expect(await errorOf(client, 'cron.run', { records: ['nobody'] })).toContain('nobody')
    expect(await errorOf(client, 'exec', { command: 'id' })).toContain('records')
    expect(await errorOf(client, 'exec', { select: 'nofield:x', command: 'id' })).toContain('nofield')
    expect(await errorOf(client, 'cron.create', { name: '', command: '', dry_run: false })).toMatch(/command|name/)
    await expect(client.callTool({ name: 'server.explode', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  test('without a token, with a broken one, from another site, too large, in a batch', async () => {
    expect((await post(list)).status).toBe(401)
    expect((await post(list, { Authorization: 'Bearer nzp_00000000000000000000000000000000' })).status).toBe(401)
    const good = { Authorization: `Bearer ${reader.token}` }
    expect((await post(list, { ...good, Origin: 'http://evil.example' })).status).toBe(403)
    const large = { jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'x'.repeat(9_000_000) } }
    expect((await post(large, good)).status).toBe(413)
    expect((await post([list, list], good)).body).toMatchObject({ error: { code: -32600 } })
    expect((await post({ hello: 1 }, good)).body).toMatchObject({ error: { code: -32600 } })
  })

  test('the eleventh call of a second waits for the next', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:inventory:read'] })
    const headers = { Authorization: `Bearer ${script.token}` }
    const tool = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'meta.whoami', arguments: {} } }
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers)),
      ...Array.from({ length: 10 }, () => post(tool, headers)),
    ])
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    const results = answers.map(({ text }) => (JSON.parse(text) as { result?: ToolAnswer }).result)
    const refused = results.filter((result) => result?._meta?.error_code === 'rate_limited')
    expect(refused.every((result) => result!.isError)).toBe(true)
  })

  test('switched off it answers nobody, and what runs is ended', async () => {
    const client = await connect(['nezha:*'])
    const silent = await world.agent({ uuid: '99999999-1111-4111-8111-111111111111' })
    await expect.poll(async () => ((await root.api('GET', 'server')) as unknown[]).length).toBe(3)
    const { servers } = (await dataOf(client, 'server.list')) as { servers: { id: number }[] }
    const id = Math.max(...servers.map((one) => one.id))
    const waiting = call(client, 'server.exec', { server_id: id, cmd: 'sleep 100', timeout_seconds: 200 })
    await silent.nextTask()
    await settings({ enable_mcp: false })
    expect((await waiting).isError).toBe(true)
    expect((await post(list)).body).toMatchObject({ error: { code: -32002 } })
  })
})
