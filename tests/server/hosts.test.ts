import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Task } from '@qd/protocol/agent'
import { agentNews } from '@qd/protocol/task-types'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

interface Hosts {
  cursor: number
  hosts: { server_id: number; state: string; at: string | null; error?: string; rows?: { name: string }[] }[]
}
interface Run {
  started_by: string
  items: { server_id: number; state: string; exit_code: number | null; output: string; reason: string }[]
}

let world: World
let root: Browser
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
let real: RealAgent
let alice: Awaited<ReturnType<World['member']>>
/** Commands that the existing agent got. */
const commands: string[] = []
/** What the existing agent's host has. */
let existing = () => ({ data: 'Id=old.service\nLoadState=loaded\nActiveState=active\n', successful: true })

const idOf = (n: number) => world.server.container.servers.byUuid(uuidOf(n))?.id
const read = async (browser: Browser, query = '') => (await browser.api('GET', `host/unit?${query}`)) as Hosts
const namesOf = ({ hosts }: Hosts) =>
  Object.fromEntries(hosts.map(({ server_id, state, rows }) => [server_id, rows?.map(({ name }) => name) ?? state]))
const act = async (browser: Browser, action: string, targets: unknown, more = {}) =>
  (await browser.send('POST', `/api/v1/host/unit/${action}`, { body: { targets, ...more } })).body as {
    success?: boolean
    code?: string
    problems?: { field: string; code: string }[]
    data?: { run_id: number; success?: number[]; offline?: number[] }
  }
const runOf = async (browser: Browser, id: number) => (await browser.api('GET', `run/${id}`)) as Run

/** A host whose `systemctl` keeps what it was told, one argument a line. */
const systemctl = (log: string) => `#!/bin/sh
case "$1" in
show) [ "$2" = --property=Version ] || printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=%s\\n' "$(cat '${log}.state')" ;;
*) for one; do printf '%s\\n' "$one"; done >> '${log}'; echo active > '${log}.state'; [ "$3" != slow.service ] || exec sleep 1000; while [ "$3" = both.service ] && [ "$(grep -c both.service '${log}')" -lt 2 ]; do sleep 0.05; done; [ "$3" != vanished.service ] || { echo "Unit vanished.service not found." >&2; exit 5; } ;;
esac
`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-hosts-'))
  writeFileSync(join(folder, 'systemctl'), systemctl(join(folder, 'log')))
  writeFileSync(join(folder, 'log.state'), 'failed')
  chmodSync(join(folder, 'systemctl'), 0o755)
  built = await buildAgent()
  world = await createWorld()
  root = await world.login()
  alice = await world.member('alice')
  const environment = { PATH: `${folder}:${process.env.PATH}` }
  real = startRealAgent({
    ...{ program: built.agent, port: world.port, secret: siteSecret, uuid: uuidOf(1), folder, environment },
  })
  await vi.waitUntil(() => idOf(1) !== undefined && world.server.container.agents.connected(idOf(1)!), 30_000)
  await world.agent({
    uuid: uuidOf(2),
    secret: alice.secret,
    host: { version: '1.8.0' },
    onCommand(command) {
      commands.push(command)
      return existing()
    },
  })
  // An agent of ours that hangs.
  const hanging = await world.agent({ uuid: uuidOf(3), host: { version: '2.3.3+qd.0.1.0' } })
  hanging.answer(Task.create({ id: 0n, type: agentNews.collectors }), { data: '["units"]', successful: false })
  await root.api('PATCH', `server/${idOf(2)}`, {
    ...{ name: 'old', note: '', public_note: '', display_index: 0, hide_for_guest: true, enable_ddns: false },
    ...{ ddns_profiles: [], override_ddns_domains: {} },
  })
  await root.api('POST', 'server-group', { name: 'web', servers: [idOf(2)] })
}, 60_000)
afterAll(async () => {
  await real.stop()
  await world.close()
  built.close()
  rmSync(folder, { recursive: true, force: true })
})

test('hosts side by side: an agent of ours, an existing one by a command, and one that hangs', async () => {
  const found = await read(root, 'wait=2000')
  expect(namesOf(found)).toEqual({ [idOf(1)!]: ['nginx.service'], [idOf(2)!]: 'failed', [idOf(3)!]: 'pending' })
  existing = () => ({ data: '#@ systemctl\nId=old.service\nLoadState=loaded\nActiveState=active\n', successful: true })
  const next = async () => namesOf(await read(root, `wait=0&since=${found.cursor}`))
  await expect.poll(next, { timeout: 20_000 }).toMatchObject({ [idOf(2)!]: ['old.service'], [idOf(3)!]: 'timed out' })
})

test('`on` selects servers by what they are and by their groups; a mistake is said', async () => {
  expect(Object.keys(namesOf(await read(root, 'on=group:web')))).toEqual([String(idOf(2))])
  expect(Object.keys(namesOf(await read(root, 'on=old%20or%20os:nothing')))).toEqual([String(idOf(2))])
  expect(namesOf(await read(root, 'on=nobody'))).toEqual({})
  expect((await root.send('GET', '/api/v1/host/unit?on=cpu>')).body).toMatchObject({ code: 'invalid' })
  expect((await root.send('GET', `/api/v1/host/unit?on=${'x'.repeat(1001)}`)).body).toMatchObject({ code: 'invalid' })
  expect((await root.send('GET', '/api/v1/host/unit?wait=soon')).body).toMatchObject({ code: 'invalid' })
  expect((await root.send('GET', '/api/v1/host/nothing')).status).toBe(404)
})

test('members see their own hosts, visitors none; a token needs the scope, and is limited to its servers', async () => {
  expect(Object.keys(namesOf(await read(alice.browser)))).toEqual([String(idOf(2))])
  expect((await world.guest().send('GET', '/api/v1/host/unit')).body).toMatchObject({ code: 'unauthorized' })
  const ask = async (scopes: string[], server_ids?: number[]) => {
    const script = await createScript(world, root, { scopes, ...(server_ids && { server_ids }) })
    return (await script.send('GET', 'host/unit?wait=100')).body as { data?: Hosts; code?: string }
  }
  expect((await ask(['nezha:cron:read'])).code).toBe('tokenForbidden')
  const limited = await ask(['nezha:server:read'], [idOf(1)!])
  expect(limited).toMatchObject({ data: { hosts: [{ server_id: idOf(1) }] } })
  expect(limited.data?.hosts).toHaveLength(1)
  const { settings } = world.server.container
  await settings.put({ ...settings.get(), members_see_hosts: false })
  expect((await alice.browser.send('GET', '/api/v1/host/unit')).body).toMatchObject({ code: 'forbidden' })
  expect(Object.keys(namesOf(await read(root, 'wait=0')))).toHaveLength(3)
  await settings.put({ ...settings.get(), members_see_hosts: true })
})

test('an action is a run: our agent gets the arguments, and its host is read again', async () => {
  await read(root, 'on=%23'.concat(String(idOf(1))))
  const names = ['nginx.service', '--help', '$(touch pwned) `id` \' " ; é']
  const { data } = await act(
    root,
    'restart',
    names.map((name) => ({ server_id: idOf(1), name })),
  )
  expect(data).toMatchObject({ success: [idOf(1)] })
  await expect
    .poll(() => runOf(root, data!.run_id))
    .toMatchObject({
      items: [{ server_id: idOf(1), state: 'success', exit_code: 0 }],
    })
  expect(readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')).toEqual(['restart', '--', ...names])
  const { hosts } = await read(root, 'on=%23'.concat(String(idOf(1))))
  expect(hosts).toMatchObject([{ rows: [{ name: 'nginx.service', state: 'active' }] }])
})

test('each server gets its own names; an existing agent gets them quoted, and a rerun the same', async () => {
  commands.length = 0
  existing = () => ({ data: 'no\nexit status 1', successful: false })
  const odd = "it's $(id)"
  const { data } = await act(root, 'stop', [
    { server_id: idOf(1), name: 'vanished.service' },
    { server_id: idOf(2), name: odd },
    { server_id: idOf(2), name: odd },
  ])
  await expect
    .poll(() => runOf(root, data!.run_id))
    .toMatchObject({
      items: [
        { server_id: idOf(1), state: 'failure', exit_code: 5, output: 'Unit vanished.service not found.\n' },
        { server_id: idOf(2), state: 'failure', exit_code: 1, output: 'no' },
      ],
    })
  expect(commands).toHaveLength(1)
  const args = execFileSync('sh', ['-c', `systemctl() { printf '%s\\0' "$@"; }\n${commands[0]}`], { encoding: 'utf8' })
  expect(args.split('\0').slice(0, -1)).toEqual(['stop', '--', odd])
  existing = () => ({ data: '', successful: true })
  writeFileSync(join(folder, 'log'), '')
  const again = (await root.api('POST', `run/${data!.run_id}/again`)) as { run_id: number }
  await expect
    .poll(async () => (await runOf(root, again.run_id)).items.map(({ state }) => state))
    .toEqual(['failure', 'success'])
  expect(commands[1]).toBe(commands[0])
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('stop\n--\nvanished.service\n')
})

test('what a host has just said to be impossible is refused: no systemd, masked', async () => {
  commands.length = 0
  existing = () => ({ data: '#@ openrc\n[default]\nsshd = started\n', successful: true })
  world.server.container.hostReadings.expire(idOf(2)!)
  await read(root, 'on=old')
  commands.length = 0
  const answer = await act(root, 'restart', [{ server_id: idOf(2), name: 'sshd' }])
  expect(answer).toMatchObject({ code: 'invalid', problems: [{ field: 'targets', code: 'wrong' }] })
  expect(JSON.stringify(answer)).toContain('the host has no systemd')
  expect(commands).toEqual([])
})

test('a run is stopped on an agent of ours: its program ends', async () => {
  const { data } = await act(root, 'start', [{ server_id: idOf(1), name: 'slow.service' }])
  await expect.poll(() => runOf(root, data!.run_id)).toMatchObject({ items: [{ state: 'running' }] })
  await root.api('POST', `run/${data!.run_id}/stop`)
  await expect
    .poll(() => runOf(root, data!.run_id))
    .toMatchObject({ items: [{ server_id: idOf(1), state: 'failure', exit_code: null }] })
})

test('two people restart one unit at once: each has a run of their own, and both are carried out', async () => {
  const bob = { username: 'bob', password: 'bob has a password' }
  await world.server.container.accounts.create({ ...bob, role: 0 })
  writeFileSync(join(folder, 'log'), '')
  const targets = [{ server_id: idOf(1), name: 'both.service' }]
  // Each waits on the host for the other.
  const started = await Promise.all([root, await world.login(bob)].map((browser) => act(browser, 'restart', targets)))
  const ids = started.map(({ data }) => data!.run_id)
  expect(new Set(ids).size).toBe(2)
  const runs = () => Promise.all(ids.map((id) => runOf(root, id)))
  await expect
    .poll(runs)
    .toMatchObject(
      ['admin', 'bob'].map((started_by) => ({ started_by, items: [{ state: 'success', exit_code: 0, output: '' }] })),
    )
  const told = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
  expect(told.sort()).toEqual(['--', '--', 'both.service', 'both.service', 'restart', 'restart'])
  expect(namesOf(await read(root, `on=%23${idOf(1)}`))).toEqual({ [idOf(1)!]: ['nginx.service'] })
})

test('canary: what fails first stops the rest', async () => {
  commands.length = 0
  existing = () => ({ data: 'exit status 1', successful: false })
  const targets = [2, 1].map((n) => ({ server_id: idOf(n), name: 'nginx.service' }))
  const { data } = await act(root, 'restart', targets, { canary: 1 })
  await expect
    .poll(() => runOf(root, data!.run_id))
    .toMatchObject({
      items: [
        { server_id: idOf(2), state: 'failure' },
        { server_id: idOf(1), state: 'no_answer', reason: 'stopped' },
      ],
    })
})

test('bad calls start nothing: foreign servers, odd names, too many, an unknown action', async () => {
  const before = world.server.container.db.selectFrom('runs').select('id').execute()
  const target = { server_id: idOf(1), name: 'nginx.service' }
  const problem = (code: string) => ({ code: 'invalid', problems: [{ field: 'targets', code }] })
  expect(await act(alice.browser, 'restart', [target])).toMatchObject(problem('unknownReference'))
  expect(await act(alice.browser, 'restart', [{ ...target, server_id: 999 }])).toMatchObject(
    problem('unknownReference'),
  )
  expect(await act(root, 'restart', [])).toMatchObject(problem('required'))
  expect(
    await act(
      root,
      'restart',
      Array.from({ length: 1001 }, () => target),
    ),
  ).toMatchObject(problem('tooManyItems'))
  for (const name of ['', 'a\nb', 'a\u0000b', '\u001b[31m', 'x'.repeat(257), 7, null])
    expect(await act(root, 'restart', [{ ...target, name }])).toMatchObject(problem('wrong'))
  const long = Array.from({ length: 400 }, (_, i) => ({ server_id: idOf(1), name: `$'${'x'.repeat(200)}${i}` }))
  expect(await act(root, 'restart', long)).toMatchObject(problem('tooLong'))
  expect(await act(root, 'restart', { server_id: 1 })).toMatchObject({ code: 'invalid' })
  expect((await root.send('POST', '/api/v1/host/unit/halt', { body: { targets: [target] } })).status).toBe(404)
  const script = await createScript(world, root, { scopes: ['nezha:server:read'] })
  const { body } = await script.send('POST', 'host/unit/restart', { targets: [target] })
  expect(body).toMatchObject({ code: 'tokenForbidden' })
  expect(await world.server.container.db.selectFrom('runs').select('id').execute()).toEqual(await before)
})

test('an action that no state of a record forbids doesn’t look at what its host has said', async () => {
  const fresh = vi.spyOn(world.server.container.hostReadings, 'fresh')
  const stop = async (kind: string, name: string) => {
    const body = { targets: [{ server_id: idOf(2), name }] }
    return (await root.send('POST', `/api/v1/host/${kind}/stop`, { body })).body
  }
  expect(await stop('container', 'docker/web')).toMatchObject({ success: true })
  expect(fresh).not.toHaveBeenCalled()
  expect(await stop('unit', 'sshd')).toMatchObject({ success: true })
  expect(fresh).toHaveBeenCalledOnce()
  fresh.mockRestore()
})
