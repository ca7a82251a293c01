import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { createScript } from '../support/api-tokens.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

const MiB = 1024 * 1024
let world: World
let root: Browser
let agent: Agent
let server: number
const folder = mkdtempSync(join(tmpdir(), 'qd-mcp-files-'))
const at = (name: string) => join(folder, name)
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { container } = world.server
  await vi.waitFor(() => {
    server = container.servers.all()[0]!.id
    expect(container.live.hostOf(server).version).toContain('+qd.')
  }, 30_000)
  await container.settings.put({ ...container.settings.get(), enable_mcp: true })
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A program with a token of these scopes: calls a tool and reads its answer. Each has only so many calls a second. */
async function program(scopes: readonly string[] = ['nezha:*']) {
  const { token } = await createScript(world, root, { scopes })
  return async (name: string, args: object) => {
    const { body } = await createBrowser(world.origin).send('POST', '/mcp', {
      bare: true,
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: `fs.${name}`, arguments: { server_id: server, ...args } },
      },
      headers: { Authorization: `Bearer ${token}` },
    })
    const { isError, content, structuredContent } = (body as { result: Answer }).result
    return isError ? `error: ${content[0]!.text}` : structuredContent!
  }
}
interface Answer {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
}
const urlOf = (answer: string | Record<string, unknown>) => String((answer as { url?: unknown }).url)

test('a program writes, lists, reads and deletes a file; what was changed meanwhile is not overwritten', async () => {
  const call = await program()
  const content = 'grüße\n'
  expect(await call('write', { path: at('new/a.txt'), content, create_dirs: true, mode: '0600' })).toEqual({
    size: 8,
    sha256: sha(Buffer.from(content)),
  })
  expect(statSync(at('new/a.txt')).mode & 0o777).toBe(0o600)
  writeFileSync(at('new/.hidden'), '')
  expect(await call('list', { path: at('new') })).toMatchObject({ entries: [{ name: 'a.txt', type: 'file', size: 8 }] })
  expect(await call('list', { path: at('new'), show_hidden: true })).toMatchObject({ entries: { length: 2 } })
  expect(await call('read', { path: at('new/a.txt') })).toMatchObject({ content, encoding: 'utf8', size: 8 })
  const part = { path: at('new/a.txt'), offset: 1, length: 2, encoding: 'base64' }
  expect(await call('read', part)).toMatchObject({
    content: Buffer.from('r\u00c3', 'latin1').toString('base64'),
    truncated: true,
  })
  expect(await call('write', { path: at('new/a.txt'), content: 'x', if_match_sha256: '0'.repeat(64) })).toMatch(
    /^error: .*if_match precondition failed/,
  )
  expect(readFileSync(at('new/a.txt'), 'utf8')).toBe(content)
  const other = await program()
  expect(await other('delete', { path: at('new'), recursive: true })).toEqual({ deleted_count: 3 })
  expect(await other('read', { path: at('new/a.txt') })).toMatch(/^error: .*does not exist/)
  expect(await other('list', { path: 'relative' })).toMatch(/^error: .*absolute/)
  expect(await other('write', { path: at('large'), content: 'x'.repeat(5 * MiB) })).toMatch(/^error: .*4 MiB/s)
})

test('each tool needs its own scope and no more', async () => {
  const read = await program(['nezha:inventory:read', 'nezha:server:read'])
  writeFileSync(at('b'), 'b')
  expect(await read('read', { path: at('b') })).toMatchObject({ content: 'b' })
  expect(await read('write', { path: at('b'), content: '' })).toBe('error: missing required scope: nezha:server:write')
  expect(await read('upload_url', { path: at('b') })).toBe('error: missing required scope: nezha:server:write')
  expect(await read('delete', { path: at('b') })).toBe('error: missing required scope: nezha:server:delete')
  expect(await read('download_url', { path: at('b'), ttl_seconds: 5 })).toMatch(/^error: invalid arguments/)
  const write = await program(['nezha:inventory:read', 'nezha:server:read', 'nezha:server:write'])
  expect(await write('write', { path: at('b'), content: 'c' })).toMatchObject({ size: 1 })
})

test('task 20: one file of 20 MiB each way by an address that works once, byte for byte; nothing stays open', async () => {
  const call = await program()
  const bytes = randomBytes(20 * MiB + 17)
  writeFileSync(at('big'), bytes)
  const url = urlOf(await call('download_url', { path: at('big') }))
  expect(url).toMatch(new RegExp(`^${world.origin}/mcp/download/[0-9a-f]{64}$`))
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-disposition')]).toEqual([
    200,
    String(bytes.length),
    "attachment; filename*=UTF-8''big",
  ])
  expect(sha(new Uint8Array(await answer.arrayBuffer()))).toBe(sha(bytes))
  expect((await fetch(url)).status).toBe(401)

  const to = urlOf(await call('upload_url', { path: at('sent'), mode: '0640' }))
  const sent = await fetch(`${to}?sha256=${sha(bytes)}`, { method: 'POST', body: bytes })
  expect(await sent.json()).toEqual({ size: bytes.length, sha256: sha(bytes) })
  expect(readFileSync(at('sent')).equals(bytes)).toBe(true)
  expect(statSync(at('sent')).mode & 0o777).toBe(0o640)
  expect((await fetch(to, { method: 'POST', body: 'x' })).status).toBe(401)

  const empty = urlOf(await call('upload_url', { path: at('empty') }))
  expect(await (await fetch(empty, { method: 'POST', body: '' })).json()).toMatchObject({ size: 0 })
  await expect.poll(() => world.server.container.streams.count()).toBe(0)
})

test('task 20: what cannot be fetched or sent is said, and what was there stays', async () => {
  const call = await program()
  const text = async (answer: Promise<Response>) => {
    const { status } = await answer
    return [status, await (await answer).text()]
  }
  expect(await text(fetch(urlOf(await call('download_url', { path: at('nothing') }))))).toEqual([
    502,
    'file or directory does not exist',
  ])
  writeFileSync(at('huge'), '')
  truncateSync(at('huge'), 101 * MiB)
  expect(await text(fetch(urlOf(await call('download_url', { path: at('huge') }))))).toEqual([
    502,
    'file exceeds MCP transfer cap (100MiB)',
  ])
  symlinkSync(at('huge'), at('link'))
  expect((await text(fetch(urlOf(await call('download_url', { path: at('link') })))))[0]).toBe(502)
  writeFileSync(at('kept'), 'as it was')
  const wrong = urlOf(await call('upload_url', { path: at('kept') }))
  expect((await text(fetch(`${wrong}?sha256=12`, { method: 'POST', body: 'x' })))[0]).toBe(400)
  expect(await text(fetch(`${wrong}?sha256=${'0'.repeat(64)}`, { method: 'POST', body: 'x' }))).toEqual([
    502,
    'sha256 mismatch',
  ])
  expect(readFileSync(at('kept'), 'utf8')).toBe('as it was')
  const chunked = urlOf(await call('upload_url', { path: at('kept') }))
  const body = new Blob(['x']).stream()
  expect((await text(fetch(chunked, { method: 'POST', body, duplex: 'half' } as RequestInit)))[0]).toBe(411)
  await expect.poll(() => world.server.container.streams.count()).toBe(0)
})

test('an address ends with the token that made it', async () => {
  const call = await program()
  writeFileSync(at('c'), 'c')
  const url = urlOf(await call('download_url', { path: at('c') }))
  const tokens = world.server.container.apiTokens
  for (const { id } of tokens.all()) await tokens.remove([id])
  expect((await fetch(url)).status).toBe(401)
})

test('task 20: the checksum of a file of 3 MiB on an existing agent, which is taken for it', async () => {
  const bytes = randomBytes(3 * MiB + 1)
  writeFileSync(at('three'), bytes)
  const { live, streams } = world.server.container
  // Ours in the place of an existing agent: it knows the same task.
  vi.spyOn(live, 'hostOf').mockReturnValue({ ...live.hostOf(server), version: '2.1.0' })
  const ask = (name: string) => root.api('POST', 'file/checksum', { server_id: server, path: at(name) })
  expect(await ask('three')).toEqual({ sha256: sha(bytes), size: bytes.length })
  await expect(ask('nowhere')).rejects.toThrow(/does not exist/)
  vi.restoreAllMocks()
  await expect.poll(() => streams.count()).toBe(0)
})
