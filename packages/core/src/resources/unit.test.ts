import { describe, expect, test } from 'vitest'
import { maxHostRows, type ParsedRows } from '../define/index.ts'
import { hostRowId, unit } from './index.ts'

const command = await unit.host!.commands()
const parse = await unit.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])
const block = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
const systemctl = (...blocks: Readonly<Record<string, string>>[]) => `#@ systemctl\n${blocks.map(block).join('\n')}`

/** By hand from the documentation of `systemctl show` (systemd 247 to 257), as are the outputs below; tests/server/hosts-systemd.test.ts reads a real one. */
const nginx = {
  Id: 'nginx.service',
  Description: 'A high performance web server',
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'running',
  UnitFileState: 'enabled',
  StateChangeTimestamp: '@1700000000',
  MemoryCurrent: '12582912',
  NRestarts: '2',
}

describe('units of systemd', () => {
  test('a block is a unit with its values', () => {
    expect(parse(systemctl(nginx))).toEqual({
      state: 'read',
      left: 0,
      rows: [
        {
          name: 'nginx.service',
          description: 'A high performance web server',
          type: 'service',
          state: 'active',
          sub: 'running',
          enabled: 'enabled',
          since: '2023-11-14T22:13:20.000Z',
          memory: 12_582_912,
          restarts: 2,
          manager: 'systemd',
        },
      ],
    })
  })

  test('what an older systemd prints is read the same', () => {
    const old = { ...nginx, StateChangeTimestamp: 'Tue 2023-11-14 22:13:20 UTC', MemoryCurrent: '[not set]' }
    const unset = { ...nginx, Id: 'a.timer', MemoryCurrent: '18446744073709551615', NRestarts: '' }
    const local = { ...nginx, Id: 'b.socket', StateChangeTimestamp: 'Tue 2023-11-14 23:13:20 CET' }
    const never = { ...nginx, Id: 'c.timer', StateChangeTimestamp: 'n/a', ActiveEnterTimestamp: '@0' }
    expect(rowsOf(parse(systemctl(old, unset, local, never)))).toMatchObject([
      { since: '2023-11-14T22:13:20.000Z', memory: null },
      { type: 'timer', memory: null, restarts: null },
      { type: 'socket', since: null },
      { since: null },
    ])
  })

  test('an alias, another kind and a unit that is only named are left out', () => {
    const named = { ...nginx, Id: 'gone.service', LoadState: 'not-found', ActiveState: 'inactive' }
    const failed = { ...named, Id: 'vanished.service', ActiveState: 'failed' }
    const parsed = parse(systemctl(nginx, { ...nginx, Id: 'sda.device' }, named, failed, nginx))
    expect(rowsOf(parsed).map(({ name }) => name)).toEqual(['nginx.service', 'vanished.service'])
  })

  test('texts are cut and harmless, and an unknown state is inactive', () => {
    const hostile = {
      ...nginx,
      Id: '--help \u001b[31m$(reboot);‮.service',
      Description: `\u0007${'x'.repeat(500)}`,
      ActiveState: 'melted',
    }
    const [row] = rowsOf(parse(systemctl(hostile)))
    expect(row).toMatchObject({ name: '--help \\x1b[31m$(reboot);\\u{202e}.service', state: 'inactive' })
    expect(String(row!.description)).toHaveLength(200)
    expect(String(row!.description)).toMatch(/^\\x07x/)
  })

  test('names that are too long and units over the maximum are counted', () => {
    const many = Array.from({ length: maxHostRows + 5 }, (_, index) => ({ ...nginx, Id: `u${index}.service` }))
    const parsed = parse(systemctl({ ...nginx, Id: `${'n'.repeat(300)}.service` }, ...many))
    expect(parsed).toMatchObject({ state: 'read', left: 6 })
    expect(rowsOf(parsed)).toHaveLength(maxHostRows)
  })
})

test('a systemctl that fails is no empty list', () => {
  expect(parse('#@ error\nFailed to connect to bus: Permission denied\n')).toEqual({ state: 'no permission' })
  expect(parse('#@ error\nFailed to list units: Access denied\n')).toEqual({ state: 'no permission' })
  expect(parse('#@ error\nFailed to connect to bus: No such file\n')).toEqual({ state: 'failed' })
})

// Written by hand from the documentation of rc-status.
const openrc = `#@ openrc
[boot]
hostname = started
[default]
sshd = started
nginx = crashed
odd = constructor
chronyd = stopped
agent = started 3 day(s) 02:11:04 (0)
[dynamic]
dbus = started
sshd = started
`

test('services of OpenRC, each once, with their runlevel as enabled', () => {
  expect(rowsOf(parse(openrc)).map(({ name, state, enabled, sub }) => [name, state, enabled, sub])).toEqual([
    ['hostname', 'active', 'enabled', 'started'],
    ['sshd', 'active', 'enabled', 'started'],
    ['nginx', 'failed', 'enabled', 'crashed'],
    ['odd', 'inactive', 'enabled', 'constructor'],
    ['chronyd', 'inactive', 'enabled', 'stopped'],
    ['agent', 'active', 'enabled', 'started'],
    ['dbus', 'active', 'disabled', 'started'],
  ])
})

test('a host without a service manager and an output of nothing are no empty list', () => {
  expect(parse('#@ unsupported\n')).toEqual({ state: 'not supported' })
  expect(parse('')).toEqual({ state: 'failed' })
  expect(parse('\0\u001b#@systemctl')).toEqual({ state: 'failed' })
})

test('actions are argument vectors, names behind --', () => {
  expect(command('restart', ['nginx.service', '--help'])).toEqual([
    'systemctl',
    'restart',
    '--',
    'nginx.service',
    '--help',
  ])
  expect(command('open', ['nginx.service'])).toBeNull()
  expect(command('toString', ['nginx.service'])).toBeNull()
})

test('a unit has the same number each time, another one on another server', () => {
  const item = { ...rowsOf(parse(systemctl(nginx)))[0], server_id: 3 }
  const row = unit.read.parse(unit.wire.decode(item))
  expect(row).toMatchObject({ id: hostRowId(3, 'nginx.service'), server_id: 3, state: 'active' })
  expect(hostRowId(4, 'nginx.service')).not.toBe(row.id)
})
