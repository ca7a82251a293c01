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

/** A program that writes down how it was started, then ends or waits for its end. */
function program(ending: string): string {
  const file = join(folder, 'agent.mjs')
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(join(folder, 'starts'))}, JSON.stringify({ args: process.argv.slice(2), secret: process.env.NZ_CLIENT_SECRET, password: process.env.QD_ADMIN_PASSWORD }) + '\\n')
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
  host: '0.0.0.0',
  port: 4321,
  tls: false,
  secret: 'agent-secret',
  configFile: join(folder, 'agent.json'),
  pauseMs: 10,
  onLine: (line: string) => lines.push(line),
})

test('an agent that ends is started again, with the secret in its environment and not in its arguments', async () => {
  const lines: string[] = []
  const agent = startLocalAgent(options('', lines))
  await vi.waitFor(() => expect(starts().length).toBeGreaterThan(1), { timeout: 10_000 })
  await agent.stop()
  expect(starts()[0]).toEqual({
    args: ['--server', '127.0.0.1:4321', '--config', join(folder, 'agent.json')],
    secret: 'agent-secret',
  })
  expect(lines).toContain('hello')
})

test('the secrets of the server do not reach the agent and its commands', async () => {
  vi.stubEnv('QD_ADMIN_PASSWORD', 'hidden')
  const agent = startLocalAgent(options('setInterval(() => {}, 1000)', []))
  await vi.waitFor(() => expect(starts()[0]).not.toHaveProperty('password'), { timeout: 10_000 })
  await agent.stop()
  vi.unstubAllEnvs()
})

test('stop ends the agent and it stays ended', async () => {
  const lines: string[] = []
  const agent = startLocalAgent(options('setInterval(() => {}, 1000)', lines))
  await vi.waitFor(() => expect(lines).toContain('hello'), { timeout: 10_000 })
  await agent.stop()
  expect(starts()).toHaveLength(1)
})
