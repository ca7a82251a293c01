import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { IOStreamData, Task, TaskResult } from '@qd/protocol/agent'
import { refusals } from '@qd/protocol/refusals'
import { taskType } from '@qd/protocol/task-types'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isMessage, loadFixture } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { isAlive } from './processes.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

let server: RawServer
let agent: Agent
let tasks: ServerCall
let folder: string
const connect = async (options: Parameters<typeof startTestAgent>[1] = {}) => {
  server = await startRawServer(answerCalls())
  agent = startTestAgent(server, options)
  tasks = await takeTaskCall(server)
  tasks.respond()
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-exec-'))
})
afterEach(async () => {
  await agent.stop()
  await server.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})
const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'
const take = async (timeoutMs?: number) => TaskResult.decode((await server.take(isResult, timeoutMs)).bytes)
const ask = async (data: unknown, type: bigint = taskType.exec) => {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  tasks.send(Task.encode({ id: 4_294_967_297n, type, data: text }).finish())
  const result = await take(20_000)
  expect([result.id, result.type]).toEqual([4_294_967_297n, type])
  return result
}
const exec = async (request: object) => {
  const { successful, data } = await ask(request)
  expect(successful).toBe(true)
  return JSON.parse(data)
}
const shell = (script: string, more: object = {}) => exec({ cmd: 'sh', args: ['-c', script], ...more })

describe('programs as recorded', () => {
  const scenarios = loadFixture('exec-fs-transfer').scenarios.filter(({ name }) => name.startsWith('exec'))
  test.each(scenarios)('$name', async ({ messages }) => {
    // The recorded machine's folder, and only the variables that its agent had.
    const kept = new Set(['PATH', 'HOME', 'USER', 'LANG'])
    for (const name of Object.keys(process.env)) if (!kept.has(name)) vi.stubEnv(name, undefined)
    vi.stubEnv('HOME', '/home/alice')
    vi.stubEnv('LANG', 'C.UTF-8')
    vi.stubEnv('PATH', '/usr/local/bin:/usr/bin:/bin')
    vi.stubEnv('USER', 'alice')
    await connect()
    const [task, recorded] = messages.filter(isMessage)
    const request = String(task!.decoded!.data).replace('/srv/demo', folder)
    const { data, successful } = await ask(request)
    const wanted = JSON.parse(String(recorded!.decoded!.data).replaceAll('/srv/demo', folder))
    expect(JSON.parse(data)).toEqual({ ...wanted, duration_ms: expect.any(Number) })
    expect(Object.keys(JSON.parse(data))).toEqual(Object.keys(wanted))
    expect(successful).toBe(true)
  })
})

describe('programs beyond the recordings', () => {
  beforeEach(() => connect())

  test('a program out of time is killed with its group', async () => {
    const { stdout, exit_code, timed_out } = await shell('sleep 100 & echo $!; wait', { timeout_seconds: 1 })
    expect([exit_code, timed_out]).toEqual([-1, true])
    await expect.poll(() => isAlive(Number(stdout))).toBe(false)
  })

  test('a child that left the group does not hold the result back', async () => {
    const startedAt = performance.now()
    expect(await shell('setsid sleep 20 & wait', { timeout_seconds: 1 })).toMatchObject({ timed_out: true })
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test('each stream is cut at its limit, at a character, and says so', async () => {
    const { stdout, stderr, stdout_truncated, stderr_truncated } = await shell('printf "aü€"; printf ok >&2', {
      max_output_bytes: 5,
    })
    expect([stdout, stdout_truncated, stderr, stderr_truncated]).toEqual(['aü', true, 'ok', undefined])
  })

  test('the largest output of both streams still makes one message that a server takes', async () => {
    const { stdout, stderr, stdout_truncated, stderr_truncated } = await shell(
      'head -c 2000000 /dev/zero; head -c 2000000 /dev/zero >&2',
      { max_output_bytes: 5_000_000 },
    )
    expect([stdout_truncated, stderr_truncated]).toEqual([true, true])
    expect(stdout.length + stderr.length).toBeLessThan(2 ** 20)
    const plain = await shell('head -c 2000000 /dev/zero | tr "\\0" x', { max_output_bytes: 5_000_000 })
    expect([plain.stdout.length, plain.stdout_truncated]).toEqual([2 ** 20, true])
  })

  test('64 KiB where no limit is given', async () => {
    expect((await shell('head -c 100000 /dev/zero | tr "\\0" x')).stdout).toHaveLength(65_536)
  })

  test('the agent’s other variables stay with the agent', async () => {
    vi.stubEnv('NZ_CLIENT_SECRET', 'top-secret')
    vi.stubEnv('SOMETHING', 'else')
    expect((await shell('env')).stdout).not.toMatch(/top-secret|SOMETHING/)
  })

  test('input that is never read does no harm', async () => {
    expect(await exec({ cmd: 'true', stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exit_code: 0 })
  })

  test.each<[string, () => object, string]>([
    ['no program', () => ({}), 'cmd required'],
    ['a name that is nowhere', () => ({ cmd: 'no-such-program' }), 'executable file not found'],
    ['a path that is nowhere', () => ({ cmd: '/no/such/program' }), 'command or working directory not found'],
    ['a folder that is nowhere', () => ({ cmd: 'ls', cwd: '/no/such' }), 'command or working directory not found'],
    ['a file that is no program', () => ({ cmd: join(folder, 'file') }), 'permission denied'],
    ['a name that no system takes', () => ({ cmd: 'a\0b' }), 'internal agent error'],
  ])('%s', async (_name, request, error) => {
    writeFileSync(join(folder, 'file'), 'x', { mode: 0o600 })
    expect(await exec(request())).toMatchObject({ exit_code: -1, stdout: '', stderr: '', error })
  })

  test.each(['', 'not json', '[]', '"x"', '{"cmd":1}', '{"cmd":"ls","args":"-l"}', '{"cmd":"ls","env":{"A":1}}'])(
    'undecodable: %j',
    async (data) => {
      const result = await ask(data)
      expect(result.successful).toBe(false)
      expect(result.data).toMatch(/^invalid exec request: ./)
    },
  )

  test('a stopped agent leaves no program behind', async () => {
    const file = join(folder, 'pid')
    mkdirSync(join(folder, 'empty'))
    const request = { cmd: 'sh', args: ['-c', `echo $$ > ${file}; sleep 1000`] }
    tasks.send(Task.encode({ id: 1n, type: taskType.exec, data: JSON.stringify(request) }).finish())
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\d\n$/)
    const pid = Number(await readFile(file, 'utf8'))
    await agent.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

describe('refusals', () => {
  test('programs switched off', async () => {
    await connect({ config: { disable_command_execute: true } })
    expect(await exec({ cmd: 'true' })).toMatchObject({ exit_code: -1, error: 'agent disabled command execution' })
  })

  test.each([
    [taskType.listFiles, { entries: null }],
    [taskType.readFile, { content: '' }],
    [taskType.writeFile, { sha256: '' }],
    [taskType.deleteFiles, { deleted_count: 0 }],
  ])('files (task %d) in the words of an agent that has them switched off', async (type, fields) => {
    await connect({ config: { disable_command_execute: true } })
    const { successful, data } = await ask({ path: '/tmp' }, type)
    expect(successful).toBe(true)
    expect(JSON.parse(data)).toMatchObject({ ...fields, error: 'agent disabled file operations' })
  })

  test('a file transfer attaches, says so and ends', async () => {
    await connect({ config: { disable_command_execute: true } })
    const id = 'fa971173-28ae-8520-c2d1-9d2c631a84e0'
    const data = JSON.stringify({ stream_id: id, op: 'download', path: '/etc/hosts' })
    tasks.send(Task.encode({ id: 0n, type: taskType.transferFile, data }).finish())
    const isStream = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
      event.event === 'message' && event.method === 'IOStream'
    const texts: string[] = []
    for (const _ of ['attach', 'error']) {
      const { bytes } = await server.take(isStream)
      texts.push(Buffer.from(IOStreamData.decode(bytes).data).toString())
    }
    expect(texts).toEqual([expect.stringContaining(id), `NZTE${refusals.commandsDisabled}`])
    await server.take((event) => event.event === 'half-close' && event.method === 'IOStream')
  })
})
