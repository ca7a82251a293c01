import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxHostRows, type ParsedRows } from '../define/index.ts'
import { container, hostRowId } from './index.ts'

const { shell } = container.host!
const command = await container.host!.commands()
const parse = await container.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])
const id = (digit: string) => digit.repeat(64)

/** As podman 4.3.1 of Debian 12 prints it, without fields that nothing reads. */
const podman = [
  {
    ...{ Id: id('a'), Names: ['app'], Image: 'localhost/busybox:qd', State: 'running', Status: 'Up 5 seconds ago' },
    ...{ ExitCode: 0, ExitedAt: -62135596800, StartedAt: 1795718291, Created: 1795718290, Ports: null },
    Labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web' },
  },
  {
    ...{ Id: id('b'), Names: ['sick'], Image: 'x', State: 'running', Status: 'Up 4 seconds ago (unhealthy)' },
    ...{ ExitCode: 0, ExitedAt: -62135596800, StartedAt: 1795718291, Created: 1795718290, Labels: null },
    Ports: [{ host_ip: '', container_port: 80, host_port: 8080, range: 2, protocol: 'tcp' }],
  },
  {
    ...{ Id: id('c'), Names: ['crashed'], Image: 'x', State: 'exited', Status: 'Exited (1) 3 seconds ago' },
    ...{ ExitCode: 1, ExitedAt: 1795718292, StartedAt: 1795718291, Created: 1795718290, Labels: null, Ports: null },
  },
]
const podmanStats = [
  { id: id('a'), name: 'app', cpu_percent: '0.07%', avg_cpu: '0.07%', mem_usage: '204.8kB / 25.28GB', pids: '1' },
  { id: id('c'), name: 'crashed', cpu_percent: '0.00%', mem_usage: '0B / 0B', pids: '0' },
]
const podmanText = `#@ podman\n${JSON.stringify(podman, null, 2)}\n#@ podman-stats\n${JSON.stringify(podmanStats)}\n`

/** As docker 28 prints it: names, times and ports by hand from the documentation of `docker inspect`, the form by the real program. */
const inspected = (more: object) =>
  JSON.stringify({
    ...{ id: id('d'), name: '/app', image: 'nginx:1.27', status: 'running', health: '', exit: 0 },
    ...{ created: '2026-11-26T18:38:11.027400911Z', started: '2026-11-26T18:38:11.302285607Z' },
    ...{ finished: '0001-01-01T00:00:00Z', restarts: 0, ports: {}, project: null, service: null },
    ...more,
  })
const docker = (...rows: object[]) => `#@ docker\n${rows.map(inspected).join('\n')}\n`

describe('containers of podman', () => {
  test('have state, compose project, times, and what stats say', () => {
    const [app, sick, crashed] = rowsOf(parse(podmanText))
    expect(app).toEqual({
      ...{ name: 'app', ref: 'podman/app', engine: 'podman', image: 'localhost/busybox:qd', state: 'running' },
      ...{ health: 'none', exit_code: null, project: 'shop', service: 'web', ports: '' },
      ...{ since: '2026-11-26T18:38:11.000Z', restarts: null, cpu: 0.07, memory: 204_800 },
    })
    expect(sick).toMatchObject({ state: 'unhealthy', health: 'unhealthy', ports: '8080-8081->80-81/tcp', cpu: null })
    expect(crashed).toMatchObject({ state: 'exited', exit_code: 1, since: '2026-11-26T18:38:12.000Z', memory: null })
  })
})

describe('containers of docker', () => {
  test('have the state of their health check while they run, ports and restarts', () => {
    const bindings = [
      { HostIp: '0.0.0.0', HostPort: '8080' },
      { HostIp: '::', HostPort: '8080' },
      { HostIp: '127.0.0.1', HostPort: '9090' },
    ]
    const stats = { ID: id('d'), CPUPerc: '250.50%', MemUsage: '1.5GiB / 16GiB' }
    const rows = docker(
      {
        ports: { '80/tcp': bindings, '443/tcp': null },
        restarts: 3,
        project: 'shop',
        service: 'web',
        health: 'healthy',
      },
      { id: id('e'), name: '/slow', health: 'starting' },
      { id: id('f'), name: '/loop', status: 'restarting', health: 'unhealthy', exit: 1 },
      { id: id('0'), name: '/new', status: 'created', started: '0001-01-01T00:00:00Z' },
    )
    const [app, slow, loop, made] = rowsOf(parse(`${rows}#@ docker-stats\n${JSON.stringify(stats)}\n`))
    expect(app).toMatchObject({
      ...{ ref: 'docker/app', state: 'running', health: 'healthy', restarts: 3, project: 'shop', service: 'web' },
      ...{ ports: '8080->80/tcp 127.0.0.1:9090->80/tcp', cpu: 250.5, memory: 1.5 * 2 ** 30 },
    })
    expect(slow).toMatchObject({ state: 'starting' })
    expect(loop).toMatchObject({ state: 'restarting', health: 'none' })
    expect(made).toMatchObject({ state: 'created', since: '2026-11-26T18:38:11.027Z' })
  })
})

test('of a host with both are told apart by what actions call them, also if they have one name', () => {
  const rows = rowsOf(parse(docker({}) + podmanText)).filter(({ name }) => name === 'app')
  expect(rows.map(({ ref }) => ref)).toEqual(['docker/app', 'podman/app'])
  const [one, other] = rows.map((row) => container.read.parse(container.wire.decode!({ ...row, server_id: 3 })))
  expect([one!.id, other!.id]).toEqual([hostRowId(3, 'docker/app'), hostRowId(3, 'podman/app')])
})

test('a docker that talks to podman’s socket lists nothing twice', () => {
  expect(rowsOf(parse(docker({ id: id('a') }) + podmanText)).map(({ ref }) => ref)).toEqual([
    'podman/app',
    'podman/sick',
    'podman/crashed',
  ])
})

test('an engine that fails is no empty list; beside one that answers, what it said is kept', () => {
  const denied = 'permission denied while trying to connect to the Docker daemon socket'
  const down = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?'
  expect(parse(`#@ docker-error\n${denied}\n`)).toEqual({ state: 'no permission', error: `docker: ${denied}` })
  expect(parse(`#@ docker-error\n${down}\n`)).toEqual({ state: 'failed', error: `docker: ${down}` })
  expect(parse('#@ podman-error\ntimed out\n')).toEqual({ state: 'timed out', error: 'podman: timed out' })
  expect(parse(`#@ docker-error\n${down}\n${podmanText}`)).toMatchObject({ state: 'read', error: `docker: ${down}` })
  expect(parse('#@ unsupported\n')).toEqual({ state: 'not supported' })
  expect(parse('')).toEqual({ state: 'failed' })
  expect(parse('#@ docker\n\n#@ docker-stats\n')).toEqual({ state: 'read', rows: [], left: 0 })
})

test('a hostile host is cut and harmless', () => {
  const odd = '/--help \u001b[31m$(id)\u202e;"'
  const rows = rowsOf(
    parse(
      docker(
        { name: odd, image: 'x'.repeat(5000), status: 'melted', restarts: 'many', created: 'soon' },
        { id: id('1'), name: `/${'n'.repeat(300)}`, ports: [7], project: { a: 1 } },
        ...Array.from({ length: maxHostRows + 5 }, (_, index) => ({ id: String(index), name: `/c${index}` })),
      ),
    ),
  )
  expect(rows).toHaveLength(maxHostRows)
  expect(rows[0]).toMatchObject({
    name: '--help \\x1b[31m$(id)\\u{202e};"',
    state: 'created',
    restarts: null,
    since: null,
  })
  expect(String(rows[0]!.image)).toHaveLength(200)
  for (const text of ['#@ docker\n[1,2\n7\nnull\n"x"\n{}\n', '#@ podman\n{"a":1}\n', '#@ podman\n[null, 7, [], {}]\n'])
    expect(parse(text).state).toBe('read')
  const [inherited] = rowsOf(parse('#@ podman\n[{"Id":"1","Names":["a"],"State":"constructor"}]\n'))
  expect(inherited?.state).toBe('created')
})

describe('what is run', () => {
  test('one program for one engine, with names after --', () => {
    expect(command('restart', ['docker/app', 'docker/--help'])).toEqual(['docker', 'restart', '--', 'app', '--help'])
    expect(command('remove', ['podman/a'])).toEqual(['podman', 'rm', '--', 'a'])
    for (const [action, ref] of [
      ['shell', 'docker/app'],
      ['toString', 'docker/app'],
      ['start', 'app'],
      ['start', 'sh/app'],
      ['start', 'docker/'],
    ] as const)
      expect(command(action, [ref])).toBe(null)
    expect(command('start', [])).toBe(null)
  })

  test('for both engines a fixed script, which no name changes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'qd-containers-'))
    try {
      for (const engine of ['docker', 'podman']) {
        const file = join(folder, engine)
        writeFileSync(
          file,
          `#!/bin/sh\nfor one; do printf '%s\\0' "$one"; done >>'${file}.log'\n[ "$3" != bad ] || exit 5\n`,
        )
        chmodSync(file, 0o755)
      }
      const odd = ['$(touch pwned)', '`id`', 'it\'s; rm -rf "x"', '--help', '*', 'a/b', '%s\\n', 'bad']
      const [file = '', ...args] = command('stop', [...odd.map((name) => `docker/${name}`), 'podman/app'])!
      const run = () => execFileSync(file, args, { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } })
      expect(run).toThrow(expect.objectContaining({ status: 5 }))
      const told = (engine: string) =>
        readFileSync(join(folder, `${engine}.log`), 'utf8')
          .split('\0')
          .slice(0, -1)
      expect(told('docker')).toEqual(odd.flatMap((name) => ['stop', '--', name]))
      expect(told('podman')).toEqual(['stop', '--', 'app'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('a shell by argument vector', () => {
    expect(shell!('podman/$(id)')!.slice(0, 6)).toEqual(['podman', 'exec', '-it', '--', '$(id)', 'sh'])
    expect(shell!('app')).toBe(null)
  })
})
