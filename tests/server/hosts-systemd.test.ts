import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { giveTo, someone, startUserSystemd, type UserSystemd, whyNoSystemd } from '../support/hosts/user-systemd.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const whyNot = whyNoSystemd()
let world: World
let root: Browser
let folder: string
let systemd: UserSystemd

/** A name as systemd writes odd characters, of a unit whose description is no kinder. */
const odd = 'odd\\x2d\\x24\\x28id\\x29.service'
const units: Readonly<Record<string, string>> = {
  'qd-web.service': '[Unit]\nDescription=Web “server”\n[Service]\nExecStart=/bin/sleep 1000\n',
  'qd-bad.service': '[Service]\nExecStart=/bin/false\n',
  'qd-bad.timer': '[Timer]\nOnActiveSec=1h\n',
  [odd]: '[Unit]\nDescription=$(id) `id` ; \'x\' "y" #@ error\n[Service]\nExecStart=/bin/sleep 1000\n',
}

const rows = async () => {
  const { hosts } = (await root.api('GET', 'host/unit')) as {
    hosts: { state: string; rows: Record<string, unknown>[] }[]
  }
  expect(hosts).toMatchObject([{ state: 'read' }])
  return Object.fromEntries(hosts[0]!.rows.map((row) => [row.name as string, row]))
}
const act = async (action: string, ...names: string[]) => {
  const server_id = world.server.container.servers.byUuid(uuidOf(1))!.id
  const body = { targets: names.map((name) => ({ server_id, name })) }
  const { run_id } = (await root.api('POST', `host/unit/${action}`, body)) as { run_id: number }
  const itemOf = async () => ((await root.api('GET', `run/${run_id}`)) as { items: { state: string }[] }).items[0]
  await expect.poll(async () => (await itemOf())?.state).toMatch(/success|failure|no_answer/)
  return itemOf()
}

describe.skipIf(whyNot !== null)(`under systemd${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  beforeAll(async () => {
    const built = await buildAgent()
    folder = mkdtempSync(join(tmpdir(), 'qd-hosts-systemd-'))
    const own = join(folder, '.config/systemd/user')
    mkdirSync(own, { recursive: true })
    for (const [name, text] of Object.entries(units)) writeFileSync(join(own, name), text)
    // The systemd of a test is that of a user, which the agent’s few variables don’t lead to.
    const runtime = `XDG_RUNTIME_DIR=/run/user/${someone.uid}`
    writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\n${runtime} exec /usr/bin/systemctl --user "$@"\n`)
    chmodSync(join(folder, 'systemctl'), 0o755)
    copyFileSync(built.agent, join(folder, 'agent.mjs'))
    built.close()
    for (const path of ['', '.config', '.config/systemd', '.config/systemd/user', 'agent.mjs'])
      giveTo(join(folder, path))
    world = await createWorld()
    root = await world.login()
    systemd = await startUserSystemd(folder)
    const start = 'systemctl --user start qd-web.service qd-bad.timer'
    await vi.waitUntil(async () => (await systemd.run(start)).code === 0, { timeout: 30_000, interval: 200 })
    // It runs until the namespace ends.
    void systemd.run(
      `PATH=${folder}:$PATH node agent.mjs --server 127.0.0.1:${world.port} --secret ${siteSecret} --uuid ${uuidOf(1)}`,
    )
    const { servers, agents } = world.server.container
    const isThere = () => agents.connected(servers.byUuid(uuidOf(1))?.id ?? 0)
    await vi.waitUntil(isThere, 30_000)
  }, 60_000)
  afterAll(async () => {
    await systemd.close()
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('units are read as they are', async () => {
    const found = await rows()
    expect(found['qd-web.service']).toMatchObject({
      description: 'Web “server”',
      type: 'service',
      state: 'active',
      sub: 'running',
      enabled: 'static',
      restarts: 0,
    })
    const since = Date.parse(found['qd-web.service']!.since as string)
    expect(Math.abs(Date.now() - since)).toBeLessThan(120_000)
    expect(found['qd-bad.timer']).toMatchObject({ type: 'timer', state: 'active', sub: 'waiting' })
  })

  test('actions reach the units that they name, and the next reading shows it', async () => {
    expect(await act('start', odd)).toMatchObject({ state: 'success', exit_code: 0 })
    expect(await act('stop', 'qd-web.service')).toMatchObject({ state: 'success', exit_code: 0 })
    await act('start', 'qd-bad.service')
    await expect.poll(async () => (await systemd.run('systemctl --user is-failed qd-bad')).output).toBe('failed\n')
    const found = await rows()
    expect(found['qd-bad.service']).toMatchObject({ state: 'failed' })
    expect(found[odd]).toMatchObject({ state: 'active', description: '$(id) `id` ; \'x\' "y" #@ error' })
    expect((await systemd.run('systemctl --user is-active qd-web')).output).toBe('inactive\n')
  })

  test('a unit that vanished, and a name that looks like an option, fail with systemd’s words', async () => {
    expect(await act('restart', 'vanished.service', '--version')).toMatchObject({
      state: 'failure',
      exit_code: 5,
      output: expect.stringMatching(/vanished\.service not found.*--version\.service not found/s),
    })
  })
})
