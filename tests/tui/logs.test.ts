import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let programs: Programs
let folder: string
const agents: RealAgent[] = []
const children: ChildProcess[] = []

const row = (n: number) => world.server.container.servers.byUuid(uuidOf(n))!
/** The `journalctl` of a host. */
function install(n: number, script: string) {
  const file = join(folder, String(n), 'journalctl')
  writeFileSync(`${file}.next`, `#!/bin/sh\n${script}\n`)
  chmodSync(`${file}.next`, 0o755)
  renameSync(`${file}.next`, file)
}
const line = (MESSAGE: string, second: number, more: object = {}) =>
  JSON.stringify({ __REALTIME_TIMESTAMP: String((1795704840 + second) * 1e6), MESSAGE, ...more })
const nginx = { SYSLOG_IDENTIFIER: 'nginx', _PID: '12', _SYSTEMD_UNIT: 'nginx.service' }

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  folder = mkdtempSync(join(tmpdir(), 'qd-logs-'))
  for (const n of [1, 2]) {
    const own = mkdtempSync(join(folder, 'host-'))
    renameSync(own, join(folder, String(n)))
    install(n, 'exit 0')
    agents.push(
      startRealAgent({
        ...{
          program: programs.agent,
          port: world.port,
          secret: siteSecret,
          uuid: uuidOf(n),
          folder: join(folder, String(n)),
        },
        environment: { PATH: `${join(folder, String(n))}:${process.env.PATH}` },
      }),
    )
  }
  const { servers, agents: hub } = world.server.container
  for (const n of [1, 2]) await vi.waitUntil(() => hub.connected(servers.byUuid(uuidOf(n))?.id ?? 0), 30_000)
  const root = await world.login()
  for (const n of [1, 2])
    await root.api('PATCH', `server/${row(n).id}`, {
      ...{ name: `web-${n}`, note: '', public_note: '', display_index: 0, hide_for_guest: false, enable_ddns: false },
      ...{ ddns_profiles: [], override_ddns_domains: {} },
    })
  await world.agent({ uuid: uuidOf(3), host: { version: '1.8.0' } })
}, 90_000)
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

function qd(...args: string[]) {
  const child = spawn(process.execPath, [programs.qd, 'logs', ...args], {
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, TZ: 'UTC', LANG: 'en_US.UTF-8' },
      ...{ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password },
    },
  })
  children.push(child)
  const out = { text: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.text += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.errors += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { out, ended, child }
}

test('lines of several servers are printed in the order of their times, with the server’s name', async () => {
  install(1, `echo '${line('second', 2, nginx)}'; echo '${line('fourth\\nand more', 4, { PRIORITY: '3' })}'`)
  install(2, `echo '${line('third', 3, nginx)}'; echo '${line('first', 1, nginx)}'`)
  const { out, ended } = qd('web-1 or web-2', '--unit', 'nginx')
  expect(await ended).toBe(0)
  expect(out).toEqual({
    text: [
      '2026-11-26 14:54:01 web-2 nginx[12]: first',
      '2026-11-26 14:54:02 web-1 nginx[12]: second',
      '2026-11-26 14:54:03 web-2 nginx[12]: third',
      '2026-11-26 14:54:04 web-1 fourth',
      '  and more',
      '',
    ].join('\n'),
    errors: '',
  })
})

test('servers that can’t be read are named, and the exit code says it', async () => {
  install(1, `echo '${line('here', 1)}'`)
  const { out, ended } = qd(`web-1 or #${row(3).id}`, '--jsonl', 'server,text')
  expect(await ended).toBe(6)
  expect(out.text).toBe('{"server":"web-1","text":"here"}\n')
  expect(out.errors).toContain('not supported')
  expect(out.errors).toContain(row(3).name)
})

test('--follow prints what comes, and flags reach journalctl; Ctrl+C ends it', async () => {
  install(1, `echo "$@" > '${folder}/args'; echo '${line('now', 1)}'; exec sleep 1000`)
  const { out, child, ended } = qd(
    'web-1',
    '--unit',
    'nginx',
    '-f',
    '--grep',
    '5..',
    '--since',
    '2026-11-26T14:00Z',
    '--lines',
    '7',
  )
  await expect.poll(() => out.text, { timeout: 20_000 }).toContain(' now\n')
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(
    /--follow --no-tail --since=@1795701600\.000 --unit=nginx --grep=5\.\.\n$/,
  )
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})

test('what a flood leaves out is said', async () => {
  install(1, `yes '${line('flood', 1)}' | head -n 100000`)
  const { out, ended } = qd('web-1', '--lines', '20')
  expect(await ended).toBe(0)
  const left = [...out.errors.matchAll(/Skipped lines: ([\d,]+)/g)].reduce(
    (sum, [, count]) => sum + Number(count!.replaceAll(',', '')),
    0,
  )
  expect(left + out.text.trimEnd().split('\n').length).toBe(100_000)
  expect(left).toBeGreaterThan(80_000)
}, 30_000)

test('wrong flags are refused', async () => {
  for (const [args, says] of [
    [['--since', 'soon'], '--since'],
    [['--lines', '5001'], '--lines'],
    [['cpu>'], 'cpu'],
  ] as const) {
    const { out, ended } = qd(...args)
    expect(await ended).toBe(2)
    expect(out.errors).toContain(says)
  }
  const { out, ended } = qd('web-1', '--unit', 'a\nb')
  expect(await ended).toBe(8)
  expect(out.errors).toContain('unit')
})
