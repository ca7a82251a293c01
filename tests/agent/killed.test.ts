import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { startProgram } from '../support/program.ts'
import { buildAgent, buildServerAndAgent } from '../support/programs.ts'
import { admin, createWorld, siteSecret, uuidOf } from '../support/world.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-killed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lives = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs a command that does not end, with a child of its own, and answers the ids of both processes. */
async function startCommand(browser: Browser): Promise<number[]> {
  const file = join(folder, 'processes')
  const command = `sleep 1000 & echo $$ $! > ${file}.new; mv ${file}.new ${file}; exec sleep 1000`
  await browser.api('POST', 'exec', { servers: [1], command, time_limit: 600 })
  await expect.poll(() => existsSync(file)).toBe(true)
  const found = readFileSync(file, 'utf8').trim().split(' ').map(Number)
  expect(found.map(lives)).toEqual([true, true])
  return found
}

test('issue 11.8: an agent that is killed takes its running commands along', async () => {
  const built = await buildAgent()
  const world = await createWorld()
  const browser = await world.login()
  const agent = startRealAgent({ program: built.agent, port: world.port, secret: siteSecret, uuid: uuidOf(1), folder })
  await expect.poll(() => world.server.container.agents.connected(1)).toBe(true)
  // One that has ended before is no longer looked after.
  await browser.api('POST', 'exec', { servers: [1], command: 'true', time_limit: 10 })
  const found = await startCommand(browser)
  agent.process.kill('SIGKILL')
  await expect.poll(() => found.map(lives)).toEqual([false, false])
  await world.close()
  built.close()
})

test('issue 11.8: a server that is killed takes what runs on its own machine along', async () => {
  const built = await buildServerAndAgent()
  const environment = { QD_ADMIN_PASSWORD: admin.password }
  const flags = ['--port', '0', '--data', join(folder, 'data')]
  const program = startProgram(flags, environment, { main: built.server })
  const browser = createBrowser(await program.ready())
  await browser.login(admin.username, admin.password)
  const isOnline = async () => {
    const [row] = ((await browser.api('GET', 'server')) ?? []) as { last_active: string }[]
    return row !== undefined && !row.last_active.startsWith('0001')
  }
  await expect.poll(isOnline, { timeout: 30_000 }).toBe(true)
  const found = await startCommand(browser)
  program.child.kill('SIGKILL')
  await program.ended
  await expect.poll(() => found.map(lives)).toEqual([false, false])
  built.close()
})
