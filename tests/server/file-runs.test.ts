import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { runItem } from '@qd/core/resources'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { openFiles, sourceOf } from '../support/file-session.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

let world: World
let root: Browser
let agents: Agent[]
let servers: number[]
const folder = mkdtempSync(join(tmpdir(), 'qd-file-runs-'))
const plan = { canary: 1, batch: 1, max_failures: 0 }
const content = Buffer.from('key = 1\n')

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  agents = [1, 2].map((number) =>
    startTestAgent(world, {
      config: { client_secret: siteSecret, uuid: `00000000-0000-4000-8000-00000000000${number}` },
    }),
  )
  const { container } = world.server
  await vi.waitFor(() => {
    servers = container.servers.all().map(({ id }) => id)
    expect(servers).toHaveLength(2)
    for (const id of servers) {
      expect(container.agents.connected(id)).toBe(true)
      expect(container.live.hostOf(id).version).toContain('+qd.')
    }
  }, 30_000)
})
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

async function begin(path: string): Promise<number> {
  const body = { servers, name: 'app.conf', path, ...plan }
  const { run_id } = (await root.api('POST', 'file/run', body)) as { run_id: number }
  return run_id
}
const shown = z.looseObject({ kind: z.string(), command: z.string(), finished_at: z.any(), items: z.array(runItem()) })
const read = async (run: number) => shown.parse(await root.api('GET', `run/${run}`))
const states = async (run: number) => (await read(run)).items.map(({ state }) => state)
async function put(server: number, run: number, path: string) {
  const files = openFiles(world, root, server, run)
  try {
    return await files.upload(path, sourceOf(content))
  } finally {
    files.close()
  }
}

test('a file to many servers is a run: the canary first, each part with what its agent has, in the order of the rollout', async () => {
  const path = join(folder, 'app.conf')
  const run = await begin(path)
  expect(await states(run)).toEqual(['sent', 'waiting'])
  await expect(put(servers[1]!, run, path)).rejects.toMatchObject({
    params: { text: expect.stringContaining('not next in that run') },
  })
  const { sha256 } = await put(servers[0]!, run, path)
  await vi.waitFor(async () => expect(await states(run)).toEqual(['success', 'sent']), 30_000)
  await put(servers[1]!, run, path)
  await vi.waitFor(async () => expect((await read(run)).finished_at).not.toBeNull(), 30_000)
  const { kind, command, items } = await read(run)
  expect([kind, command, items.map(({ output }) => output)]).toEqual([
    'file',
    path,
    Array(2).fill(`${sha256}  ${path}`),
  ])
  expect(readFileSync(path, 'utf8')).toBe('key = 1\n')
  await expect(root.api('POST', `run/${run}/again`)).rejects.toThrow()
})

test('a refusal stands in the run in the agent’s words, and the others are not sent to', async () => {
  const path = join(folder, 'no/such/folder')
  const run = await begin(path)
  await expect(put(servers[0]!, run, path)).rejects.toMatchObject({ code: 'failed' })
  await vi.waitFor(async () => expect(await states(run)).toEqual(['failure', 'no_answer']), 30_000)
  const { items } = await read(run)
  expect(items[0]!.output).toContain('no such file or directory')
  expect(items[1]!.reason).toBe('stopped')
})

test('a sender that goes away in the middle leaves no answer, and nothing of its file', async () => {
  const path = join(folder, 'half')
  const run = await begin(path)
  const stop = new AbortController()
  const files = openFiles(world, root, servers[0]!, run)
  const source = {
    size: 5_000_000,
    async read(_: number, length: number) {
      stop.abort()
      return Buffer.alloc(length)
    },
  }
  await expect(files.upload(path, source, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  files.close()
  await vi.waitFor(async () => expect(await states(run)).toEqual(['no_answer', 'no_answer']), 30_000)
  expect((await read(run)).items.map(({ reason }) => reason)).toEqual(['lost', 'stopped'])
})

test('servers that are not there, none, and no plan begin nothing', async () => {
  const body = { servers: [...servers, 999], name: 'x', path: '/x', ...plan }
  await expect(root.api('POST', 'file/run', body)).rejects.toThrow()
  await expect(root.api('POST', 'file/run', { ...body, servers: [] })).rejects.toThrow()
  await expect(root.api('POST', 'file/run', { ...body, servers, batch: -1 })).rejects.toThrow()
})
