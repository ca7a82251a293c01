import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lineOf, root } from '../bench/product.ts'
import { spread, timed } from '../bench/row.ts'
import { createBrowser } from '../support/browser.ts'
import { type Program, startProgram } from '../support/program.ts'
import { admin, siteSecret } from '../support/world.ts'

const count = 3000

test('R-20 3,000 agents come back at once: nobody is sent away, others go on; and the server stops with them in time', async () => {
  const environment = { QD_ADMIN_PASSWORD: admin.password, QD_AGENT_SECRET: siteSecret }
  const folders: string[] = []
  const programs: Program[] = []
  function start() {
    const folder = mkdtempSync(join(tmpdir(), 'qd-many-'))
    folders.push(folder)
    const program = startProgram(['--no-agent', '--port', '0', '--data', folder], environment)
    programs.push(program)
    return program
  }
  /** One kept connection. */
  async function readerOf(origin: string) {
    const browser = createBrowser(origin)
    await browser.login(admin.username, admin.password)
    return () => timed(() => browser.send('GET', '/api/v1/profile'))
  }
  const program = start()
  const origin = await program.ready()
  const fleets: ChildProcess[] = []
  const fleet = async (atOnce: number) => {
    const flags = {
      port: new URL(origin).port,
      secret: siteSecret,
      count,
      interval: 3000,
      'at-once': atOnce,
      from: '127.0.0.2',
    }
    const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`])
    const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'tests/bench/agents.ts'), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    fleets.push(child)
    const sentAway = Number(await lineOf(child, /^(\d+) sent away\n\d+ agents report$/m))
    return { child, sentAway }
  }
  try {
    let current = (await fleet(50)).child
    const read = await readerOf(origin)
    // One without agents: its callers wait for what else the machine does, too.
    const readCalm = await readerOf(await start().ready())
    let isPeace = false
    for (let tries = 0; tries < 3 && !isPeace; tries += 1) {
      current.kill('SIGKILL')
      await once(current, 'exit')
      let isBack = false
      const back = fleet(count).finally(() => {
        isBack = true
      })
      // Awaited below; an unhandled rejection would keep npm test from trying this file again.
      back.catch(() => undefined)
      const times: number[] = []
      const calm: number[] = []
      while (!isBack) {
        times.push(await read())
        calm.push(await readCalm())
        await sleep(20)
      }
      const { child, sentAway } = await back
      current = child
      // `npm run bench -- attack` measures it on a machine that does nothing else: there it is under 200 ms.
      isPeace = sentAway === 0 && spread(times).p95 < Math.max(500, 5 * spread(calm).p95)
    }
    expect(isPeace).toBe(true)

    const asked = performance.now()
    program.child.kill('SIGTERM')
    // The server itself says which part did not stop in its time, and ends with 1 then.
    expect([await program.ended, program.output.errors]).toEqual([0, ''])
    expect(performance.now() - asked).toBeLessThan(5000)
  } finally {
    for (const child of fleets) child.kill('SIGKILL')
    for (const { child, ended } of programs) {
      child.kill('SIGKILL')
      await ended
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)
