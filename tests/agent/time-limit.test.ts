import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf } from '../support/world.ts'

test('a command past its time limit is ended on the host, and what it had printed is kept', async () => {
  const built = await buildAgent()
  const folder = mkdtempSync(join(tmpdir(), 'qd-limit-'))
  const world = await createWorld()
  const root = await world.login()
  const agent = startRealAgent({ program: built.agent, port: world.port, secret: siteSecret, uuid: uuidOf(1), folder })
  await expect.poll(() => world.server.container.agents.connected(1)).toBe(true)
  const body = { servers: [1], command: 'echo $$; exec sleep 1000', time_limit: 1 }
  const { run_id } = (await root.api('POST', 'exec', body)) as { run_id: number }
  const itemOf = async () =>
    ((await root.api('GET', `run/${run_id}`)) as { items: { state: string; output: string }[] }).items[0]!
  await expect
    .poll(itemOf)
    .toMatchObject({ state: 'failure', reason: 'timeLimit', output: expect.stringMatching(/^\d+\n\nsignal: killed$/) })
  const pid = Number((await itemOf()).output.split('\n')[0])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await agent.stop()
  await world.close()
  built.close()
  rmSync(folder, { recursive: true, force: true })
})
