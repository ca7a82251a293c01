import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { dashboard, good } from '../support/peers/fake-dashboard.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
let programs: Programs
let env: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'qd-mcp-'))

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  root = await world.login()
  await world.agent({ onCommand: (command) => ({ data: `${command}\n`, successful: true, delay: 0.1 }) })
  await vi.waitFor(async () => expect(await root.api('GET', 'server')).toHaveLength(1), { timeout: 30_000 })
  const { token } = await createScript(world, root, { scopes: ['nezha:*'] })
  env = {
    PATH: process.env.PATH!,
    HOME: folder,
    QD_CONFIG: join(folder, 'config.json'),
    QD_URL: world.origin,
    QD_TOKEN: token,
  }
})
afterAll(async () => {
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('issue 14: qd mcp offers the same tools over standard input and output, whatever the setting says', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [programs.qd, 'mcp'], env }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['server.list', 'server.exec', 'cron.run', 'exec', 'run.get']))
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>
  const { servers } = (await call('server.list', {})) as { servers: { id: number }[] }
  expect(await call('server.exec', { server_id: servers[0]!.id, cmd: 'uptime' })).toMatchObject({ stdout: 'uptime\n' })
  expect(await call('server.edit', { record: servers[0]!.id, name: 'web-1' })).toMatchObject({
    dry_run: true,
    calls: [{ method: 'PATCH', path: `/api/v1/server/${servers[0]!.id}` }],
  })
  await client.close()
})

/** What `qd mcp` says to these lines until it ends by itself. */
function told(
  lines: readonly string[],
  at = env,
): Promise<{ answers: unknown[]; stderr: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [programs.qd, 'mcp'], { env: at }, (error, stdout, stderr) => {
      const answers = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown)
      resolve({ answers, stderr, code: error ? child.exitCode : 0 })
    })
    child.stdin!.end(`${lines.join('\n')}\n`)
  })
}
const listed = (name: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":{"fields":["id"]}}}`

test('issue 14: input that is no message is answered so, and every answer is given before the end', async () => {
  expect(await told(['{', '{"hello":1}', listed('server.ls')])).toEqual({
    ...{ code: 0, stderr: '' },
    answers: [
      expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
      expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }),
      expect.objectContaining({
        id: 7,
        result: expect.objectContaining({ structuredContent: { total: 1, records: [{ id: 1 }] } }),
      }),
    ],
  })
})

test('issue 14: an existing dashboard has the tools as well, without what it cannot do', async () => {
  const { baseUrl } = await dashboard({
    'GET setting': () => good({ config: { site_name: 'fleet', language: 'en-US' }, version: '2.0.0' }),
    'GET server': () => good([{ id: 7, name: 'web-7' }]),
  })
  const exec =
    '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"server.exec","arguments":{"server_id":7,"cmd":"id"}}}'
  const { answers, code } = await told([listed('server.ls'), exec], { ...env, QD_URL: baseUrl })
  expect(code).toBe(0)
  expect(answers).toContainEqual(
    expect.objectContaining({
      result: expect.objectContaining({ structuredContent: { total: 1, records: [{ id: 7 }] } }),
    }),
  )
  expect(answers).toContainEqual(expect.objectContaining({ id: 8, result: expect.objectContaining({ isError: true }) }))
})
