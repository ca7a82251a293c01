import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

type Row = Record<string, unknown> & { ref: string }
interface Hosts {
  hosts: { server_id: number; state: string; rows?: Row[] }[]
}

let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
const agents: RealAgent[] = []
const children: ChildProcess[] = []

const idOf = (n: number) => world.server.container.servers.byUuid(uuidOf(n))!.id
/** What runs on the host now, not what was read a second ago. */
const rowsOf = async (n: number, kind = 'process', browser = root) => {
  world.server.container.hostReadings.expire(idOf(n))
  const { hosts } = (await browser.api('GET', `host/${kind}?on=${encodeURIComponent(`#${idOf(n)}`)}`)) as Hosts
  expect(hosts).toMatchObject([{ state: 'read' }])
  return hosts[0]!.rows!
}
const rowOf = async (child: ChildProcess, n = 1) => (await rowsOf(n)).find(({ pid }) => pid === child.pid)
/** Ends with the test. */
async function start(file: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(file, args, { stdio: 'ignore' })
  children.push(child)
  await once(child, 'spawn')
  return child
}
const act = async (action: string, names: readonly string[], more: object = {}, browser = root, server = idOf(1)) =>
  (
    await browser.send('POST', `/api/v1/host/process/${action}`, {
      body: { targets: names.map((name) => ({ server_id: server, name })), ...more },
    })
  ).body as { code?: string; problems?: unknown; data?: { run_id: number } }
const ended = async (answer: Awaited<ReturnType<typeof act>>) => {
  expect(answer).toMatchObject({ data: { run_id: expect.any(Number) } })
  const itemOf = async () =>
    ((await root.api('GET', `run/${answer.data!.run_id}`)) as { items: { state: string; output: string }[] }).items[0]!
  await expect.poll(async () => (await itemOf()).state, { timeout: 20_000 }).toMatch(/success|failure|no_answer/)
  return itemOf()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-processes-'))
  built = await buildAgent()
  world = await createWorld()
  root = await world.login()
  alice = await world.member('alice')
  const common = { program: built.agent, port: world.port, folder }
  agents.push(
    startRealAgent({ ...common, secret: siteSecret, uuid: uuidOf(1) }),
    startRealAgent({ ...common, secret: alice.secret, uuid: uuidOf(2), flags: ['--watch-only'] }),
  )
  const { servers, agents: connected } = world.server.container
  for (const n of [1, 2])
    await vi.waitUntil(() => connected.connected(servers.byUuid(uuidOf(n))?.id ?? 0), { timeout: 30_000 })
}, 60_000)
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await world.close()
  built.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('processes as they are', () => {
  test('what computes uses a core, what sleeps uses nothing, and each says what started it', async () => {
    const busy = await start('sh', '-c', 'while :; do :; done', '--token=hunter2')
    const idle = await start('sleep', '1000')
    const rows = await rowsOf(1)
    const [one, other] = [busy, idle].map((child) => rows.find(({ pid }) => pid === child.pid)!)
    expect(one).toMatchObject({
      ...{ parent: process.pid, program: 'sh', state: 'running', kernel: false, threads: 1 },
      command: expect.stringContaining('--token=hunter2'),
      tree: expect.stringMatching(/ > sh(\[\d+\])?$/),
    })
    expect(one!.cpu).toBeGreaterThan(5)
    expect(other).toMatchObject({ program: 'sleep', cpu: 0, state: 'sleeping', command: 'sleep 1000' })
    expect(Math.abs(Date.now() - Date.parse(String(one!.since)))).toBeLessThan(120_000)
    // The reading itself isn’t in it.
    expect(rows.filter(({ program }) => program === 'awk' || program === 'ps')).toEqual([])
    expect(one!.ref).toMatch(new RegExp(`^${busy.pid}@\\d+$`))
  })

  test('a port has its process', async () => {
    const server: Server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect((await rowsOf(1, 'port')).find((row) => row.port === port)).toMatchObject({
      ...{ name: `tcp/127.0.0.1:${port}`, protocol: 'tcp', address: '127.0.0.1', pid: process.pid },
    })
    server.close()
  })
})

describe('signals', () => {
  test('reach the process of that name, and no other', async () => {
    const file = join(folder, 'hung-up')
    const child = await start('sh', '-c', `trap 'touch ${file}' HUP; while :; do sleep 0.05; done`)
    await expect.poll(async () => (await rowOf(child))?.command, { timeout: 20_000 }).toContain('trap')
    const { ref: name } = (await rowOf(child))!
    expect(await ended(await act('signal', [name], { signal: 'HUP' }))).toMatchObject({ state: 'success', output: '' })
    await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true)
    const exit = once(child, 'exit')
    expect(await ended(await act('kill', [name]))).toMatchObject({ state: 'success' })
    expect(await exit).toEqual([null, 'SIGKILL'])
  })

  test('a PID that another process has by now is not reached', async () => {
    const child = await start('sleep', '1000')
    const { ref: name } = (await rowOf(child))!
    const stale = name.replace(/@.*/, '@12')
    expect(await ended(await act('kill', [stale]))).toMatchObject({
      state: 'failure',
      output: `process ${child.pid} has ended\n`,
    })
    expect(child.exitCode ?? child.signalCode).toBeNull()
  })

  test('hostile names run nothing and reach nothing', async () => {
    const child = await start('sleep', '1000')
    const { ref: name } = (await rowOf(child))!
    const pwned = join(folder, 'pwned')
    const odd = [
      '-1',
      '0',
      '1@',
      '--help',
      '*',
      '../self@1',
      `$(touch ${pwned})@1`,
      `1; touch ${pwned}`,
      `${name} `,
      `'"@'`,
    ]
    const said = await ended(await act('kill', [...odd, `0${name}`]))
    expect(said.state).toBe('failure')
    expect(said.output.match(/has ended$/gm)).toHaveLength(odd.length + 1)
    expect(existsSync(pwned)).toBe(false)
    expect(child.exitCode ?? child.signalCode).toBeNull()
  })

  test('a kernel thread is not signaled', async () => {
    const thread = (await rowsOf(1)).find(({ kernel }) => kernel)
    const error = expect.stringMatching(/kernel thread/)
    if (thread) expect(await act('kill', [thread.ref])).toMatchObject({ code: 'invalid', error })
  })

  test('signals that the definition doesn’t offer are refused', async () => {
    for (const signal of ['KILL', '9', '', 'TERM 1', '-TERM'])
      expect(await act('signal', ['12@34'], { signal })).toMatchObject({ code: 'invalid' })
  })
})

describe('who sees what', () => {
  test('command lines are for callers who may run commands on that server', async () => {
    const child = await start('sh', '-c', 'while :; do sleep 1; done', '--token=hunter2')
    await rowsOf(1)
    const ask = async (scopes: string[], server_ids?: number[]) => {
      const script = await createScript(world, root, { scopes, ...(server_ids && { server_ids }) })
      const { hosts } = ((await script.send('GET', 'host/process?on=')).body as { data: Hosts }).data
      return hosts.find(({ server_id }) => server_id === idOf(1))!.rows!.find(({ pid }) => pid === child.pid)
    }
    expect(await ask(['nezha:server:read', 'nezha:server:exec'])).toMatchObject({
      command: expect.stringMatching('hunter2'),
    })
    const reader = await ask(['nezha:server:read'])
    expect(reader).toMatchObject({ program: 'sh', pid: child.pid })
    expect(JSON.stringify(reader)).not.toContain('hunter2')
    expect(reader).not.toHaveProperty('command')
    expect(await ask(['nezha:server:read'], [idOf(1)])).not.toHaveProperty('command')
  })

  test('a host that takes no commands sends none, not even to an admin', async () => {
    const child = await start('sh', '-c', 'while :; do sleep 1; done', '--token=hunter2')
    const row = await rowOf(child, 2)
    expect(row).toMatchObject({ program: 'sh', command: '' })
    expect(JSON.stringify(await rowsOf(2))).not.toContain('hunter2')
  })

  test('a member sees and signals only what runs on own servers', async () => {
    const child = await start('sleep', '1000')
    const { ref: name } = (await rowOf(child))!
    const { hosts } = (await alice.browser.api('GET', 'host/process?on=')) as Hosts
    expect(hosts.map(({ server_id }) => server_id)).toEqual([idOf(2)])
    expect(((await alice.browser.api('GET', `host/process?on=%23${idOf(1)}`)) as Hosts).hosts).toEqual([])
    const refused = { code: 'invalid', problems: [{ field: 'targets', code: 'unknownReference' }] }
    expect(await act('kill', [name], {}, alice.browser)).toMatchObject(refused)
    // A watch-only host takes no signal from its owner either.
    const own = await ended(await act('kill', [name], {}, alice.browser, idOf(2)))
    expect(own.state).toBe('failure')
    expect(child.exitCode ?? child.signalCode).toBeNull()
    const script = await createScript(world, root, { scopes: ['nezha:server:read'] })
    const targets = [{ server_id: idOf(1), name }]
    expect((await script.send('POST', 'host/process/kill', { targets })).body).toMatchObject({ code: 'tokenForbidden' })
  })
})

test('one reading costs little', async () => {
  const agent = agents[0]!.process.pid!
  /** Clock ticks of the agent’s children that have ended: user and system. */
  const ofChildren = () => {
    const fields = readFileSync(`/proc/${agent}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[13]) + Number(fields[14])
  }
  const before = ofChildren()
  await rowsOf(1)
  const ms = (ofChildren() - before) * 10
  expect(ms).toBeLessThan(150)
})
