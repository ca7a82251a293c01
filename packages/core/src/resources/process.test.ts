import { describe, expect, test } from 'vitest'
import { maxHostRows, type ParsedRows } from '../define/index.ts'
import { process } from './index.ts'

const { short } = process.host!
const command = await process.host!.commands()
const parse = await process.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])
const named = (parsed: ParsedRows, program: string) => rowsOf(parsed).find((row) => row.program === program)

// Recorded on Debian 12, cut to a few processes.
const linux = `#@ linux
100
4096
1795652962
64998.06 64999.06
1 0 S 0 24 5603 14 47261 47262 systemd
2 0 S 1 24 0 1 3 3 kthreadd
29 2 I 1 25 0 1 0 0 rcu_tasks_trace_kthread
734 1 S 0 1200 1053 1 14 14 sshd
901 734 S 0 6458195 1053 1 0 0 sshd
902 734 S 0 6458196 1053 1 0 0 sshd
20793 902 S 0 6458200 1053 1 14 14 bash
13318 20793 R 0 6499676 23268 11 23 63 node
13383 20793 R 0 6499820 15651 11 - 19 my prog) x
17000 20793 D 0 6400000 100 1 - 19 tar
17001 1 Z 0 6400000 0 1 0 0 gone
#@ ps
    1 root                             /sbin/init splash
    2 root                             [kthreadd]
13318 www-data                         node server.js --token=hunter2
13383 1234                             /usr/bin/my prog
`

describe('processes of Linux', () => {
  test('a line is a process with its values; CPU is that of the second between both readings', () => {
    expect(named(parse(linux), 'node')).toEqual({
      name: 'node[13318]',
      ref: '13318@6499676',
      pid: 13_318,
      parent: 20_793,
      program: 'node',
      user: 'www-data',
      state: 'running',
      kernel: false,
      cpu: 40,
      memory: 23_268 * 4096,
      threads: 11,
      since: '2026-11-26T18:32:38.760Z',
      cpu_time: 0.63,
      command: 'node server.js --token=hunter2',
      tree: 'sshd > sshd[902] > bash > node',
    })
  })

  test('a process that began between the readings has used all its time since; of another nothing is known', () => {
    expect(named(parse(linux), 'my prog) x')).toMatchObject({ cpu: 19, user: '1234' })
    expect(named(parse(linux), 'tar')).toMatchObject({ cpu: null, state: 'blocked', cpu_time: 0.19 })
  })

  test('threads of the kernel have neither memory nor a command line', () => {
    expect(named(parse(linux), 'kthreadd')).toMatchObject({ kernel: true, memory: null, command: '' })
    expect(named(parse(linux), 'rcu_tasks_trace_kthread')).toMatchObject({
      state: 'idle',
      tree: 'kthreadd > rcu_tasks_trace_kthread',
    })
  })

  test('sorted by its path, a list is a tree: siblings of one program have their PID', () => {
    const trees = rowsOf(parse(linux)).map(({ tree }) => tree)
    expect(trees.filter((tree) => String(tree).startsWith('sshd'))).toEqual([
      'sshd',
      'sshd > sshd[901]',
      'sshd > sshd[902]',
      'sshd > sshd[902] > bash',
      'sshd > sshd[902] > bash > node',
      'sshd > sshd[902] > bash > my prog) x',
      'sshd > sshd[902] > bash > tar',
    ])
  })

  test('a host that says nothing of command lines has none; what cannot be read is left out', () => {
    const locked = linux.replace(/ node server.js.*/, '').replace('systemd\n', 'systemd\nnonsense 1 2\n')
    expect(named(parse(locked), 'node')).toMatchObject({ user: 'www-data', command: '' })
    expect(rowsOf(parse(locked))).toHaveLength(11)
  })

  test('texts are cut and harmless, circles end, and processes over the maximum are counted', () => {
    const [, ...head] = linux.split('\n').slice(0, 5)
    const odd = [
      '#@ linux',
      ...head,
      '7 8 S 0 5 1 1 0 0 \u001b[31m‮x',
      '8 7 S 0 5 1 1 0 0 b',
      '#@ ps',
      `7 root ${'x'.repeat(900)}`,
    ]
    const parsed = parse(odd.join('\n'))
    const [row] = rowsOf(parsed)
    expect(row).toMatchObject({ program: '\\x1b[31m\\u{202e}x' })
    expect(String(row!.command)).toHaveLength(300)
    expect(String(row!.tree).length).toBeLessThanOrEqual(200)
    const many = Array.from({ length: maxHostRows + 5 }, (_, index) => `${index + 10} 1 S 0 5 1 1 0 0 p`)
    expect(parse(['#@ linux', ...head, ...many].join('\n'))).toMatchObject({ state: 'read', left: 5 })
  })
})

// Written by hand from the documentation of FreeBSD’s and macOS’s ps.
const bsd = `#@ bsd
    0     0 root DLs   0.0      512 Thu Nov 26 06:00:01 2026 kernel
    1     0 root SLs   0.0     1208 Thu Nov 26 06:00:02 2026 init
  812     1 www  I     0.3    10240 Sat Nov  7 10:11:12 2026 nginx
 1999   812 www  RN  101.5    20480 Thu Nov 26 10:11:12 2026 Google Chrome He
#@ ps
  812 www  nginx: master process /usr/local/sbin/nginx
 1999 www  /opt/chrome --type=renderer
`

test('processes of BSD and macOS: CPU is the average that their ps prints', () => {
  expect(rowsOf(parse(bsd))).toMatchObject([
    { pid: 0, kernel: true },
    { pid: 1, kernel: false, program: 'init', state: 'sleeping' },
    {
      ref: '812@Sat_Nov_7_10:11:12_2026',
      ...{ user: 'www', cpu: 0.3, memory: 10_485_760, threads: null, state: 'idle' },
      since: '2026-11-07T10:11:12.000Z',
      command: 'nginx: master process /usr/local/sbin/nginx',
    },
    { program: 'Google Chrome He', cpu: 101.5, state: 'running', tree: 'nginx > Google Chrome He' },
  ])
})

test('a host that cannot be read is no empty list', () => {
  expect(parse('#@ unsupported\n')).toEqual({ state: 'not supported' })
  for (const text of ['', '#@ linux\n', '#@ bsd\nps: illegal option\n', '\0#@'])
    expect(parse(text)).toEqual({ state: 'failed' })
})

test('actions are one script with the signal and the names as arguments', () => {
  const [sh, c, script, ...rest] = command('signal', ['12@34', '$(id)'], { signal: 'HUP' })!
  expect([sh, c, ...rest]).toEqual(['sh', '-c', 'sh', 'HUP', '12@34', '$(id)'])
  expect(command('kill', ['1@2'], {})).toEqual(['sh', '-c', script, 'sh', 'KILL', '1@2'])
  for (const action of ['open', 'toString']) expect(command(action, ['1@2'], {})).toBeNull()
  expect([short!('a[1][12]'), short!('a')]).toEqual(['12', 'a'])
})

test('a command line is for those who may run commands', () => {
  expect(process.host!.confidential).toEqual(['command'])
})
