import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLocalAgent } from './local-agent.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-local-agent-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const wait = 'setInterval(() => {}, 1000)'

function program(ending: string): string {
  const file = join(folder, 'agent.mjs')
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(join(folder, 'starts'))}, JSON.stringify({ program: process.argv[1], args: process.argv.slice(2), secret: process.env.NZ_CLIENT_SECRET, password: process.env.QD_ADMIN_PASSWORD }) + '\\n')
     process.stderr.write('hello\\n')
     ${ending}`,
  )
  return file
}

const starts = () =>
  readFileSync(join(folder, 'starts'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { args: string[]; secret: string })

const options = (ending: string, lines: string[]) => ({
  program: program(ending),
  folder: join(folder, 'agent'),
  host: '0.0.0.0',
  port: 4321,
  tls: false,
  secret: 'agent-secret',
  configFile: join(folder, 'agent.json'),
  onLine: (line: string) => lines.push(line),
})

test('a supervised copy runs, with the secret in its environment and not in its arguments', async () => {
  const lines: string[] = []
  const agent = startLocalAgent(options(wait, lines))
  await vi.waitFor(() => expect(lines).toContain('hello'), 30_000)
  await agent.stop()
  expect(starts()[0]).toEqual({
    program: join(folder, 'agent/quarterdeck-agent.mjs'),
    args: ['--supervise', '--server', '127.0.0.1:4321', '--config', join(folder, 'agent.json')],
    secret: 'agent-secret',
  })
})

test('another build replaces the copy at the next start; the terminal module is found from there', async () => {
  await startLocalAgent(
    options(`await import('@lydell/node-pty'); process.stderr.write('found\\n'); ${wait}`, []),
  ).stop()
  const lines: string[] = []
  const agent = startLocalAgent(
    options(`await import('@lydell/node-pty'); process.stderr.write('found again\\n'); ${wait}`, lines),
  )
  await vi.waitFor(() => expect(lines).toContain('found again'), 30_000)
  await agent.stop()
})

test('the agent has a channel by which it learns that the server is gone', async () => {
  const lines: string[] = []
  const agent = startLocalAgent(options(`process.stderr.write(String(process.connected)); ${wait}`, lines))
  await vi.waitFor(() => expect(lines).toContain('true'), 30_000)
  await agent.stop()
})

test('the secrets of the server do not reach the agent and its commands', async () => {
  vi.stubEnv('QD_ADMIN_PASSWORD', 'hidden')
  const agent = startLocalAgent(options(wait, []))
  await vi.waitFor(() => expect(starts()[0]).not.toHaveProperty('password'), 30_000)
  await agent.stop()
  vi.unstubAllEnvs()
})

test('stop ends the agent and it stays ended', async () => {
  const lines: string[] = []
  const agent = startLocalAgent(options(wait, lines))
  await vi.waitFor(() => expect(lines).toContain('hello'), 30_000)
  await agent.stop()
  expect(starts()).toHaveLength(1)
})
