import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Host, Task, TaskResult } from '@qd/protocol/agent'
import { type AgentManifest, agentPaths, toReportedVersion, toSignedText } from '@qd/protocol/agent-update'
import { extensionHeader, extensionVersion, progressType, taskType, updateKeyHeader } from '@qd/protocol/task-types'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { buildAgent } from '../support/programs.ts'
import { askForTerminal, takeShell } from './shell.ts'
import { answerCalls, identity, takeTaskCall } from './world.ts'

const ours = { [extensionHeader]: extensionVersion }
let built: Awaited<ReturnType<typeof buildAgent>>
/** The bundle of now, and one of the next version. */
let oldBundle: Buffer
let newBundle: Buffer
let folder: string
let program: string
let server: RawServer
let child: ChildProcess | undefined
let offered: { manifest: Partial<AgentManifest>; bundle: Buffer }
let fetched: string[]

beforeAll(async () => {
  built = await buildAgent()
  const text = readFileSync(built.agent, 'utf8')
  const withVersion = (version: string) => {
    const own = /(?<=name:"quarterdeck",version:")[^"]+/
    expect(text).toMatch(own)
    return Buffer.from(text.replace(own, version))
  }
  oldBundle = withVersion('7.0.0')
  newBundle = withVersion('7.1.0')
})
afterAll(() => built.close())

/** Keys of the server that the agent enrolled with, and of another one. */
const [own, other] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey) as [KeyObject, KeyObject]
const toPublic = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

const offer = (bundle: Buffer, parts: Partial<AgentManifest> = {}, key: KeyObject | null = own) => {
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  const manifest = { version: '7.1.0', sha256, size: bundle.length, ...parts }
  const installation = key && sign(null, Buffer.from(toSignedText(manifest)), key).toString('base64')
  offered = { bundle, manifest: { ...manifest, ...(installation && { signatures: { installation } }) } }
}
const pages: RequestListener = ({ url }, response) => {
  fetched.push(url!)
  if (url === agentPaths.manifest) response.end(JSON.stringify(offered.manifest))
  else if (url === agentPaths.bundle) response.end(offered.bundle)
  else response.writeHead(404).end()
}
const isMessage =
  (method: string) =>
  (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
    event.event === 'message' && event.method === method

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-update-'))
  program = join(folder, 'quarterdeck-agent.mjs')
  writeFileSync(program, oldBundle)
  fetched = []
  offer(newBundle)
})
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child!.once('close', resolve))
    child.kill('SIGTERM')
    await gone
  }
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** An installed agent and the server it reports to; the reports on the machine stay in the inbox. */
const connect = async (extension: Record<string, string> = ours, settings = {}, flags = ['--supervise']) => {
  const answer = answerCalls(extension)
  server = await startRawServer(
    (event) => answer(event) && event.event !== 'tcp-fin' && !isMessage('ReportSystemInfo2')(event),
    undefined,
    pages,
  )
  const { secret: client_secret, uuid } = identity
  const config = join(folder, 'agent.json')
  writeFileSync(
    config,
    JSON.stringify({ server: `127.0.0.1:${server.port}`, client_secret, uuid, update_key: toPublic(own), ...settings }),
  )
  child = spawn(process.execPath, [program, ...flags, '--config', config], { cwd: folder, stdio: 'ignore' })
  return takeTasks(extension)
}
const takeTasks = async (extension: Record<string, string> = ours): Promise<ServerCall> => {
  await server.take((event) => event.event === 'open' && event.method === 'ReportSystemState', 30_000)
  const tasks = await takeTaskCall(server)
  tasks.respond(extension)
  return tasks
}
const takeVersion = async () => Host.decode((await server.take(isMessage('ReportSystemInfo2'))).bytes).version
const takeResult = async () => TaskResult.decode((await server.take(isMessage('RequestTask'), 20_000)).bytes)
const update = (tasks: ServerCall) => tasks.send(Task.encode({ id: 41n, type: taskType.upgrade, data: '' }).finish())
const result = (parts: Partial<TaskResult>) => TaskResult.create({ id: 41n, type: taskType.upgrade, ...parts })

test('the agent fetches the new one, starts as it, and says so under the id of the task', async () => {
  const tasks = await connect()
  expect(await takeVersion()).toBe(toReportedVersion('7.0.0'))
  update(tasks)
  expect(await takeResult()).toEqual(result({ type: progressType.updating, data: '7.0.0 -> 7.1.0' }))
  await server.take((event) => event.event === 'open' && event.connection === 2, 20_000)
  expect(await takeResult()).toEqual(result({ successful: true, data: '7.0.0 -> 7.1.0' }))
  await takeVersion()
  await expect.poll(takeVersion).toBe(toReportedVersion('7.1.0'))
  expect(fetched).toEqual([agentPaths.manifest, agentPaths.bundle])
  expect(readFileSync(program).equals(newBundle)).toBe(true)
  expect(readFileSync(`${program}.previous`).equals(oldBundle)).toBe(true)
  expect(existsSync(`${program}.update`)).toBe(false)
})

test.each<[string, () => void, RegExp]>([
  [
    'a wrong hash',
    () => offer(newBundle, { sha256: 'ab'.repeat(32) }),
    /^the new agent has the SHA-256 [\da-f]{64} instead of (ab){32}$/,
  ],
  ['a wrong size', () => offer(newBundle, { size: 5 }), /^the new agent has \d+ bytes instead of 5$/],
  [
    'a version that is none',
    () => offer(newBundle, { version: '\x1b[31m1' }),
    /^the server returned an invalid agent manifest$/,
  ],
  [
    'no manifest',
    () => offer(newBundle, { version: undefined as never }),
    /^the server returned an invalid agent manifest$/,
  ],
])('%s: the old agent runs on and says why', async (_name, spoil, reason) => {
  spoil()
  const tasks = await connect()
  update(tasks)
  const { id, type, successful, data } = await takeResult()
  expect([id, type, successful]).toEqual([41n, taskType.upgrade, false])
  expect(data).toMatch(reason)
  expect(readFileSync(program).equals(oldBundle)).toBe(true)
  tasks.send(Task.encode({ id: 1n, type: taskType.keepalive, data: '' }).finish())
  expect(await takeResult()).toMatchObject({ id: 1n, type: taskType.keepalive })
})

const unsigned = /^the new agent is not signed by a key that this agent trusts/
test.each<[string, KeyObject | null, object, RegExp]>([
  ['nothing', null, {}, unsigned],
  ['another server’s key', other, {}, unsigned],
  [
    'its own server’s key, on a host that keeps its server out',
    own,
    { disable_command_execute: true },
    /only updates that the release has signed/,
  ],
  ['its own server’s key, on a watch-only host', own, { watch_only: true }, /only updates that the release has signed/],
])('issue 37.5 an update signed by %s is not taken, nor even fetched', async (_name, key, settings, reason) => {
  offer(newBundle, {}, key)
  // A taken-over server says that its key is the one.
  const tasks = await connect({ ...ours, [updateKeyHeader]: toPublic(key ?? other) }, settings)
  update(tasks)
  const { type, successful, data } = await takeResult()
  expect([type, successful]).toEqual([taskType.upgrade, false])
  expect(data).toMatch(reason)
  expect(fetched).toEqual([agentPaths.manifest])
  expect(readFileSync(program).equals(oldBundle)).toBe(true)
  expect(JSON.parse(readFileSync(join(folder, 'agent.json'), 'utf8'))).toMatchObject({ update_key: toPublic(own) })
})

test('a new agent that does not start: the old one is back and says why', async () => {
  offer(Buffer.from('process.exit(9)'))
  update(await connect())
  expect(await takeResult()).toMatchObject({ type: progressType.updating })
  await takeTasks()
  expect(await takeResult()).toEqual(
    result({ successful: false, data: '7.1.0 exited with code 9; 7.0.0 is running again' }),
  )
  expect(readFileSync(program).equals(oldBundle)).toBe(true)
})

test('the same bytes are no update, and no failure', async () => {
  offer(oldBundle)
  update(await connect())
  expect(await takeResult()).toEqual(result({ successful: true, data: '7.0.0 is already running' }))
  expect(fetched).toEqual([agentPaths.manifest])
})

test('updates switched off, and an agent that nobody would start again, are refused', async () => {
  update(await connect(ours, { disable_force_update: true }))
  expect(await takeResult()).toMatchObject({ type: progressType.refused, data: 'updatesDisabled' })
  expect(await takeResult()).toEqual(result({ data: 'updates are disabled on this host (disable_force_update)' }))
  child!.kill('SIGTERM')
  await new Promise((resolve) => child!.once('close', resolve))
  await server.close()
  update(await connect(ours, {}, []))
  expect(await takeResult()).toEqual(
    result({ data: 'nothing would restart this agent; run it with --supervise, or under systemd with --service' }),
  )
  expect(fetched).toEqual([])
})

test('an existing server gets the answer of an agent that cannot update (recorded)', async () => {
  update(await connect({}))
  expect(await takeResult()).toEqual(result({}))
  expect(fetched).toEqual([])
})

test('installed without the terminal module: everything else works, and a terminal says why it does not', async () => {
  const tasks = await connect()
  askForTerminal(tasks)
  const shell = await takeShell(server)
  await shell.ended('half-close')
  expect(shell.text()).toBe('this agent was installed without its terminal module (@lydell/node-pty)\r\n')
})

test('the agent ends with its supervisor, however that ends', async () => {
  await connect()
  child!.kill('SIGKILL')
  await server.take((event) => event.event === 'tcp-fin', 10_000)
})
