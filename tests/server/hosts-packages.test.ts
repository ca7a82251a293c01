import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type AptRoot, createAptRoot, whyNoApt } from '../support/hosts/apt-root.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const whyNot = whyNoApt()
const qdIn = useQd()
let world: World
let root: Browser
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
/** Two hosts, each with its own apt. */
const hosts: { apt: AptRoot; agent: RealAgent }[] = []

const idOf = (n: number) => world.server.container.servers.byUuid(uuidOf(n))!.id
const rows = async (n: number) => {
  const answer = (await root.api('GET', `host/package?on=%23${idOf(n)}`)) as {
    hosts: { state: string; rows: Record<string, unknown>[] }[]
  }
  expect(answer.hosts).toMatchObject([{ state: 'read' }])
  return answer.hosts[0]!.rows.filter(({ state }) => state !== 'reboot')
}
interface Run {
  items: { server_id: number; state: string; exit_code: number | null; output: string; reason: string }[]
}
const act = async (action: string, targets: readonly { server_id: number; name: string }[], more = {}) => {
  const { run_id } = (await root.api('POST', `host/package/${action}`, { targets, ...more })) as { run_id: number }
  const read = async () => (await root.api('GET', `run/${run_id}`)) as Run
  await expect
    .poll(async () => (await read()).items.every(({ state }) => /success|failure|no_answer/.test(state)))
    .toBe(true)
  return (await read()).items
}

describe.skipIf(whyNot !== null)(`with the real apt${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  beforeAll(async () => {
    built = await buildAgent()
    world = await createWorld()
    root = await world.login()
    folder = mkdtempSync(join(tmpdir(), 'qd-packages-'))
    for (const n of [1, 2]) {
      const home = join(folder, `host-${n}`)
      mkdirSync(home)
      const apt = createAptRoot(home)
      const names = ['qd-a', 'qd-b', 'qd-c']
      apt.publish(
        'stable',
        names.map((name) => ({ name, version: '1.0' })),
      )
      apt.install(...names)
      apt.publish('stable-security', [
        { name: 'qd-a', version: '1.0+deb1', ...(n === 1 && { postinst: 'echo configured' }) },
      ])
      // What an upgrade of qd-b needs is installed with it; on the first host it fails.
      apt.publish('stable', [
        {
          name: 'qd-b',
          version: '2.0',
          more: 'Depends: qd-new\n',
          ...(n === 1 && { postinst: 'echo broken; exit 3' }),
        },
        { name: 'qd-new', version: '1' },
      ])
      const environment = { PATH: `${apt.bin}:${process.env.PATH}` }
      const agent = startRealAgent({
        ...{ program: built.agent, port: world.port, secret: siteSecret, uuid: uuidOf(n), folder: home, environment },
      })
      hosts.push({ apt, agent })
      const { servers, agents } = world.server.container
      await vi.waitUntil(() => agents.connected(servers.byUuid(uuidOf(n))?.id ?? 0), 30_000)
    }
    await root.api('PATCH', `server/${idOf(1)}`, { name: 'web-1' })
    await root.api('PATCH', `server/${idOf(2)}`, { name: 'web-2' })
  }, 60_000)
  afterAll(async () => {
    for (const { agent } of hosts) await agent.stop()
    await world.close()
    built.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('pending updates are read as apt knows them, with the age of its lists', async () => {
    const found = await rows(1)
    expect(found).toMatchObject([
      {
        name: 'qd-a',
        state: 'security',
        installed: '1.0',
        available: '1.0+deb1',
        source: 'stable-security',
        manager: 'apt',
      },
      { name: 'qd-b', state: 'update', installed: '1.0', available: '2.0', source: 'stable' },
    ])
    expect(Math.abs(Date.now() - Date.parse(found[0]!.lists_at as string))).toBeLessThan(120_000)
    // Published, but the host hasn’t refreshed its lists: reading doesn’t either.
    expect(hosts[0]!.apt.installed()).toMatchObject({ 'qd-a': '1.0' })
  })

  test('qd lists security updates, and upgrades one package on one host first', async () => {
    const qd = qdIn.home({ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password })
    const listed = await qd(['package', 'ls', 'security', '--json', 'name,server_id'])
    const found = JSON.parse(listed.stdout) as { server_id: number }[]
    expect(found.sort((a, b) => a.server_id - b.server_id)).toEqual([
      { name: 'qd-a', server_id: idOf(1) },
      { name: 'qd-a', server_id: idOf(2) },
    ])
    const ended = await qd(['package', 'upgrade', 'qd-a', '--canary', '1', '--batch', '5', '--wait', '--yes'])
    expect(ended).toMatchObject({ code: 0 })
    for (const { apt } of hosts) expect(apt.installed()).toMatchObject({ 'qd-a': '1.0+deb1', 'qd-b': '1.0' })
    expect((await rows(1)).map(({ name }) => name)).toEqual(['qd-b'])
  })

  test('an upgrade that fails on the canary stops the rest, with apt’s words as proof', async () => {
    const targets = [1, 2].map((n) => ({ server_id: idOf(n), name: 'apt/qd-b' }))
    expect(await act('upgrade', targets, { canary: 1 })).toMatchObject([
      { state: 'failure', exit_code: 100, output: expect.stringContaining('broken') },
      { state: 'no_answer', reason: 'stopped' },
    ])
    expect(hosts[1]!.apt.installed()).toMatchObject({ 'qd-b': '1.0' })
  })

  test('everything is upgraded on a server, with what the updates need', async () => {
    expect(await act('upgrade-all', [{ server_id: idOf(2), name: 'apt/qd-b' }])).toMatchObject([{ state: 'success' }])
    expect(hosts[1]!.apt.installed()).toMatchObject({ 'qd-b': '2.0', 'qd-new': '1' })
    expect(await rows(2)).toEqual([])
  })

  test('names that mean something else to apt start nothing', async () => {
    for (const name of [
      'apt/qd-c-',
      'apt/--help',
      'apt/qd-*',
      'apt/$(touch pwned)',
      'apt/qd-c;id',
      'qd-c',
      'apt/qd-c=1',
    ]) {
      const { status } = await root.send('POST', '/api/v1/host/package/upgrade', {
        body: { targets: [{ server_id: idOf(2), name }] },
      })
      expect([name, status]).toEqual([name, 404])
    }
    expect(hosts[1]!.apt.installed()).toMatchObject({ 'qd-c': '1.0' })
  })
})
