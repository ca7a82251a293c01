import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AgentEvent, type RawServer, startRawServer } from '../support/peers/h2-server.ts'
import { buildAgent } from '../support/programs.ts'
import { answerCalls } from './world.ts'

const data = (name: string) => fileURLToPath(new URL(`../data/tls/${name}`, import.meta.url))

interface Program {
  child: ChildProcess
  stdout: string
  stderr: string
  exit: Promise<number | null>
}
let built: Awaited<ReturnType<typeof buildAgent>>
let folder: string
let server: RawServer | undefined
const programs: Program[] = []

/** The agent as a program of its own, in the test's folder. */
const run = (args: string[], env: Record<string, string> = {}): Program => {
  const { NZ_SERVER, NZ_CLIENT_SECRET, NZ_UUID, NZ_TLS, ...rest } = process.env
  const child = spawn(process.execPath, [built.agent, ...args], { cwd: folder, env: { ...rest, ...env } })
  const program: Program = { child, stdout: '', stderr: '', exit: new Promise((resolve) => child.on('close', resolve)) }
  child.stdout.on('data', (text) => {
    program.stdout += text
  })
  child.stderr.on('data', (text) => {
    program.stderr += text
  })
  programs.push(program)
  return program
}
const isFirstCall = (event: AgentEvent): event is AgentEvent & { event: 'open' } => event.event === 'open'
const takeFirstCall = (of: RawServer) => of.take(isFirstCall, 60_000)

beforeAll(async () => {
  built = await buildAgent()
})
afterAll(() => built?.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-agent-'))
})
afterEach(async () => {
  for (const { child, exit } of programs.splice(0)) {
    child.kill('SIGKILL')
    await exit
  }
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true })
})

test.each([
  ['no server', ['--secret', 'x'], /^quarterdeck-agent: missing flag: --server HOST:PORT; for help: --help\n$/],
  ['an unknown flag', ['--nope'], /^quarterdeck-agent: Unknown option '--nope'; for help: --help\n$/],
  [
    'a folder that cannot be made',
    ['--server', 'h:1', '--secret', 'x', '--config', '/dev/null/agent.json'],
    /^quarterdeck-agent: cannot .*\n$/,
  ],
])('%s: one line on stderr, exit code 2', async (_name, args, line) => {
  const program = run(args)
  expect(await program.exit).toBe(2)
  expect(program.stderr).toMatch(line)
  expect(program.stdout).toBe('')
})

test('--help and --version print and end with 0', async () => {
  const [help, version] = [run(['--help']), run(['--version'])]
  expect([await help.exit, await version.exit]).toEqual([0, 0])
  expect(help.stdout).toContain('--secret')
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s while connected: leaves in order, exit code 0', async (signal) => {
  server = await startRawServer(answerCalls())
  const program = run([], { NZ_SERVER: `127.0.0.1:${server.port}`, NZ_CLIENT_SECRET: 's' })
  await server.take((event) => event.event === 'open' && event.method === 'ReportSystemState', 60_000)
  program.child.kill(signal)
  expect(await program.exit).toBe(0)
})

test('SIGTERM while nobody answers: exit code 0', async () => {
  const program = run(['--server', '127.0.0.1:1', '--secret', 's'])
  await expect.poll(() => program.stderr).toContain('cannot connect to 127.0.0.1:1')
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
})

test('the identity outlives the process and is nobody else’s to read', async () => {
  server = await startRawServer()
  const args = ['--server', `127.0.0.1:${server.port}`, '--secret', 's']
  const uuids: unknown[] = []
  for (const _ of [1, 2]) {
    const program = run(args)
    uuids.push((await takeFirstCall(server)).headers['client-uuid'])
    program.child.kill('SIGKILL')
    await program.exit
  }
  expect(uuids[0]).toBe(uuids[1])
  const file = join(folder, 'data/agent.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ uuid: uuids[0] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('--tls: a certificate that is trusted is accepted, another refused, insecure_tls accepts it', async () => {
  const tls = {
    cert: readFileSync(data('localhost.cert.pem'), 'utf8'),
    key: readFileSync(data('localhost.key.pem'), 'utf8'),
  }
  server = await startRawServer(undefined, tls)
  const args = ['--server', `localhost:${server.port}`, '--secret', 's', '--tls', '--config', 'a.json']
  const refused = run(args)
  await expect.poll(() => refused.stderr).toMatch(/cannot connect to localhost:\d+: self-signed certificate; retrying/)
  refused.child.kill('SIGKILL')
  run(args, { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: data('localhost.cert.pem') })
  expect((await takeFirstCall(server)).headers[':scheme']).toBe('https')
  writeFileSync(join(folder, 'a.json'), '{"insecure_tls":true}')
  run(args)
  expect((await takeFirstCall(server)).headers['client-secret']).toBe('s')
})
