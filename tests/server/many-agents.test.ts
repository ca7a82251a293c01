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
import { startProgram } from '../support/program.ts'
import { admin, siteSecret } from '../support/world.ts'

const count = 3000

test('R-20 3,000 agents come back at once: nobody is sent away, others go on; and the server stops with them in time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-many-'))
  const environment = { QD_ADMIN_PASSWORD: admin.password, QD_AGENT_SECRET: siteSecret }
  const program = startProgram(['--no-agent', '--port', '0', '--data', folder], environment)
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
    // It ends with an error where one of them was sent away.
    await lineOf(child, /^(\d+) agents report$/m)
    return child
  }
  try {
    let current = await fleet(50)
    const browser = createBrowser(origin)
    await browser.login(admin.username, admin.password)
    const read = () => timed(() => browser.send('GET', '/api/v1/profile'))
    const calm: number[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      calm.push(await read())
      await sleep(20)
    }
    // `npm run bench -- attack` measures it on a machine that does nothing else: there it is under 200 ms.
    const bound = Math.max(500, 5 * spread(calm).p95)
    // The quickest of some returns: what else the machine does is no part of it.
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && best >= bound; tries += 1) {
      current.kill('SIGKILL')
      await once(current, 'exit')
      let isBack = false
      const back = fleet(count).finally(() => {
        isBack = true
      })
      // Awaited below; an unhandled rejection would keep npm test from trying this file again.
      back.catch(() => undefined)
      const times: number[] = []
      while (!isBack) {
        times.push(await read())
        await sleep(20)
      }
      current = await back
      best = Math.min(best, spread(times).p95)
    }
    expect(best).toBeLessThan(bound)

    const asked = performance.now()
    program.child.kill('SIGTERM')
    expect([await program.ended, program.output.errors]).toEqual([0, ''])
    expect(performance.now() - asked).toBeLessThan(5000)
  } finally {
    for (const child of fleets) child.kill('SIGKILL')
    program.child.kill('SIGKILL')
    await program.ended
    rmSync(folder, { recursive: true, force: true })
  }
}, 240_000)
