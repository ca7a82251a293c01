import type { Agent } from '@qd/agent/agent'
import type { RunItem } from '@qd/core/resources'
import { parseRefusal, refusals } from '@qd/protocol/refusals'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { openFiles } from '../support/file-session.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const qdIn = useQd()
let world: World
let browser: Browser
/** An existing agent, which the test answers for, and ours with commands disabled. */
let existing: SimulatedAgent
let own: Agent

beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
  existing = await world.agent({ uuid: uuidOf(1) })
  own = startTestAgent(world, { config: { client_secret: siteSecret, uuid: uuidOf(2), disable_command_execute: true } })
  while (!world.server.container.agents.connected(2)) await new Promise((resolve) => setTimeout(resolve, 20))
})
afterAll(async () => {
  await own.stop()
  await world.close()
})

const itemOf = async (run: number) => ((await browser.api('GET', `run/${run}`)) as { items: RunItem[] }).items[0]!
const exec = async (server: number) => {
  const { run_id } = (await browser.api('POST', 'exec', { servers: [server], command: 'uptime', time_limit: 60 })) as {
    run_id: number
  }
  return run_id
}
const chinese = ['此 Agent 已禁止命令执行', '此 Agent 已禁止命令执行 (DisableCommandExecute)']

describe('issue 36.8: what an existing agent says in Chinese', () => {
  test.each(chinese)('%s is a refusal', async (data) => {
    const run = await exec(1)
    existing.answer(await existing.nextTask(), { data, successful: false })
    await expect
      .poll(() => itemOf(run))
      .toMatchObject({
        state: 'failure',
        reason: 'refused',
        exit_code: null,
        output: refusals.commandsDisabled,
      })
  })

  test('a time limit is one, and its line is not part of the output', async () => {
    const run = await exec(1)
    const data = '任务执行超时\nline\n\nsignal: killed'
    existing.answer(await existing.nextTask(), { data, successful: false })
    await expect
      .poll(() => itemOf(run))
      .toMatchObject({ state: 'failure', reason: 'timeLimit', output: 'line\n\nsignal: killed' })
  })

  test('a command that prints such words is none, and neither is another failure', async () => {
    for (const [data, successful] of [
      [chinese[0]!, true],
      [`it says: ${chinese[0]}\nexit status 3`, false],
    ] as const) {
      const run = await exec(1)
      existing.answer(await existing.nextTask(), { data, successful })
      await expect.poll(async () => (await itemOf(run)).state).toBe(successful ? 'success' : 'failure')
      expect(await itemOf(run)).toMatchObject({ reason: null, output: expect.stringContaining('Agent') })
    }
  })

  test('the configuration that it does not tell is the same error', async () => {
    const asked = browser.send('GET', '/api/v1/server/config/1')
    existing.answer(await existing.nextTask(), { data: chinese[0]!, successful: false })
    expect((await asked).body).toMatchObject({ code: 'commandsDisabled', error: refusals.commandsDisabled })
  })
})

describe('issue 36.8: our agent refuses in English, with a code', () => {
  test('a command, and a configuration that is pushed', async () => {
    const run = await exec(2)
    await expect
      .poll(() => itemOf(run))
      .toMatchObject({ state: 'failure', reason: 'refused', output: refusals.commandsDisabled })
    const pushed = (await browser.api('POST', 'server/config', { servers: [2], config: '{"debug":true}' })) as {
      run_id: number
    }
    await expect.poll(() => itemOf(pushed.run_id)).toMatchObject({ state: 'failure', reason: 'refused' })
  })

  test('the configuration, files and their details', async () => {
    const { body } = await browser.send('GET', '/api/v1/server/config/2')
    expect(body).toMatchObject({ code: 'commandsDisabled', error: refusals.commandsDisabled })
    const files = openFiles(world, browser, 2)
    for (const ask of [() => files.list('/'), () => files.details('/'), () => files.checksum('/etc/hostname')])
      await expect(ask()).rejects.toMatchObject({ code: 'commandsDisabled' })
    files.close()
  })

  test('from a shell: one sentence, and what to do', async () => {
    const qd = qdIn.home({ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password })
    const [, { name }] = (await browser.api('GET', 'server')) as [unknown, { name: string }]
    const ran = await qd(['exec', name, '--yes', '--', 'uptime'])
    expect(ran.code).toBe(1)
    expect(`${ran.stdout}${ran.stderr}`).toContain('refused by the agent')
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/\p{Script=Han}/u)
    expect(await qd(['files', 'ls', `${name}:/`])).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'error: this host doesn’t allow commands, shells, or files\n  try: set disable_command_execute to false in the agent’s settings file on the host\n',
    })
  })
})

test('issue 36.8: every refusal of ours is recognized by its text, too', () => {
  for (const [code, text] of Object.entries(refusals)) expect(parseRefusal(text)).toBe(code)
  expect(parseRefusal('FsTransfer 被 agent DisableCommandExecute 拒绝')).toBe('commandsDisabled')
  expect(parseRefusal('另一条 server transfer 配置正在生效中，请稍后再试 (transfer reload in progress)')).toBe(
    'transferPending',
  )
})
