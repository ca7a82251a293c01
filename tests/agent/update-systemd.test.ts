import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toReportedVersion } from '@qd/protocol/agent-update'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { giveTo, startUserSystemd, type UserSystemd, whyNoSystemd } from '../support/hosts/user-systemd.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, type World } from '../support/world.ts'

const whyNot = whyNoSystemd()
/** Seconds that a new version has to connect; of one that never does, fewer. */
const [trial, shortTrial] = [60, 4]
const own = /(?<=name:"quarterdeck",version:")[^"]+/
let built: Awaited<ReturnType<typeof buildAgent>>
let folder: string
let home: string
let offered: string
let world: World
let root: Browser
let systemd: UserSystemd

const offer = (version: string) => writeFileSync(offered, readFileSync(built.agent, 'utf8').replace(own, version))
/** A program that says its version, and otherwise does this. */
const offerBad = (then: string) =>
  writeFileSync(offered, `if (process.argv.includes('--version')) console.log('7.7.7'); else { ${then} }`)
const setTrial = (seconds: number) => {
  const script = join(home, '.quarterdeck-agent/update-trial.sh')
  writeFileSync(script, readFileSync(script, 'utf8').replace(/limit=\d+/, `limit=${seconds}`))
}
const installed = () => join(home, '.quarterdeck-agent/quarterdeck-agent.mjs')
const serverRow = async () =>
  ((await root.api('GET', 'server')) as { id: number; host: { version: string }; last_active: string }[] | null)?.[0]
const version = async () => (await serverRow())?.host.version
const update = async () =>
  ((await root.api('POST', 'force-update/server', [(await serverRow())!.id])) as { run_id: number }).run_id
const itemOf = async (run: number) =>
  ((await root.api('GET', `run/${run}`)) as { items: { state: string; output: string }[] }).items[0]!
const show = async (property: string) =>
  (await systemd.run(`systemctl --user show -P ${property} quarterdeck-agent`)).output.trim()

describe.skipIf(whyNot !== null)(`under systemd${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  beforeAll(async () => {
    built = await buildAgent()
  })
  afterAll(() => built.close())
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'qd-update-systemd-'))
    giveTo(folder)
    home = mkdtempSync(join(folder, 'home '))
    giveTo(home)
    offered = join(folder, 'offered.mjs')
    offer('0.0.8')
    world = await createWorld({ config: { agentBundle: offered } })
    root = await world.login()
    const { config } = (await root.api('GET', 'setting')) as { config: object }
    const install_host = `127.0.0.1:${world.port}`
    await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', install_host })
    systemd = await startUserSystemd(home)
    await expect.poll(async () => (await systemd.run('systemctl --user show-environment')).code).toBe(0)
    const { command } = (await root.api('GET', 'install?os=linux')) as { command: string }
    expect(await systemd.run(command)).toMatchObject({ code: 0, output: expect.stringContaining('as the service') })
    await expect.poll(async () => (await serverRow())?.last_active).toMatch(/^2/)
  })
  afterEach(async () => {
    await systemd.close()
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the agent is one process; an update is there within seconds, and the ledger says success', async () => {
    const pid = await show('MainPID')
    const tasks = (await systemd.run('ps -o pid= --ppid "$0"'.replace('"$0"', pid))).output
    expect(tasks.trim()).toBe('')
    expect((await systemd.run(`tr '\\0' ' ' </proc/${pid}/cmdline`)).output).toContain('--service')
    offer('0.0.9')
    const run = await update()
    await expect.poll(version).toBe(toReportedVersion('0.0.9'))
    await expect
      .poll(() => itemOf(run))
      .toMatchObject({ state: 'success', output: expect.stringMatching(/0\.0\.8 -> \S*0\.0\.9$/) })
    await expect.poll(() => show('ActiveState')).toBe('active')
    expect(await show('MainPID')).not.toBe(pid)
  })

  test.each([
    ['ends at once', 'process.exit(3)', 'exited with code 3'],
    ['ends at once as if all were well', 'process.exit(0)', 'exited with code 0'],
    ['finds a mistake in the settings', 'process.exit(2)', 'exited with code 2'],
    ['is killed', 'process.kill(process.pid, "SIGSEGV")', 'was terminated by SIGSEGV'],
    ['never connects', 'setInterval(() => {}, 1000)', `did not connect within ${shortTrial} s`],
    ['hangs', 'process.on("SIGTERM", () => {}); for (;;);', `did not connect within ${shortTrial} s`],
  ])('a new version that %s: the old one is back and says why', async (_name, then, reason) => {
    const before = readFileSync(installed())
    offerBad(then)
    if (reason.includes('connect')) setTrial(shortTrial)
    const run = await update()
    await expect
      .poll(() => itemOf(run), { timeout: 60_000 })
      .toMatchObject({ state: 'failure', output: expect.stringContaining(`7.7.7 ${reason}; 0.0.8 is running again`) })
    expect(readFileSync(installed()).equals(before)).toBe(true)
    setTrial(trial)
    // The next update is as good as the first.
    offer('0.0.9')
    await update()
    await expect.poll(version, { timeout: 60_000 }).toBe(toReportedVersion('0.0.9'))
  })

  test('a stop on request during a trial is no failure of the new version', async () => {
    offerBad('setInterval(() => {}, 1000)')
    await update()
    await expect.poll(() => show('SubState')).toBe('start-post')
    await systemd.run('systemctl --user stop quarterdeck-agent')
    expect(readFileSync(installed(), 'utf8')).toContain('7.7.7')
  })

  test('the agent comes back however it ends', async () => {
    for (const signal of ['KILL', 'TERM']) {
      const pid = await show('MainPID')
      await systemd.run(`kill -${signal} ${pid}`)
      await expect.poll(() => show('MainPID')).not.toMatch(new RegExp(`^(0|${pid})$`))
    }
  })
})
