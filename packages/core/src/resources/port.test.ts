import { describe, expect, test } from 'vitest'
import type { ParsedRows } from '../define/index.ts'
import { port } from './index.ts'

const parse = await port.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])

// Recorded on Debian 12 with iproute2 6.1, as the collector prints it.
const ss = `#@ ss
Netid State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
udp UNCONN 0 0 127.0.0.53%lo:53 0.0.0.0:* users:(("systemd-resolve",pid=412,fd=13))
tcp LISTEN 0 511 0.0.0.0:80 0.0.0.0:* users:(("nginx",pid=902,fd=6),("nginx",pid=901,fd=6))
tcp LISTEN 0 4096 127.0.0.1:35571 0.0.0.0:* users:(("node",pid=14815,fd=24))
tcp LISTEN 0 128 0.0.0.0:2024 0.0.0.0:*
tcp LISTEN 0 511 *:3000 *:* users:(("x",pid=7,fd=1))
tcp LISTEN 0 128 [::]:22 [::]:* users:(("sshd",pid=734,fd=4))
tcp LISTEN 0 5 [fe80::1]%eth0:8080 [::]:*
tcp LISTEN 0 128 [::]:22 [::]:* users:(("sshd",pid=734,fd=4))
tcp ESTAB 0 0 10.0.0.1:22 10.0.0.2:50000
nl UNCONN 0 0 0:0 *
`

describe('ports of ss', () => {
  test('each once, with the oldest process', () => {
    expect(parse(ss)).toEqual({
      state: 'read',
      left: 0,
      rows: [
        {
          name: 'udp/127.0.0.53%lo:53',
          protocol: 'udp',
          address: '127.0.0.53%lo',
          port: 53,
          program: 'systemd-resolve',
          pid: 412,
        },
        { name: 'tcp/0.0.0.0:80', protocol: 'tcp', address: '0.0.0.0', port: 80, program: 'nginx', pid: 901 },
        {
          name: 'tcp/127.0.0.1:35571',
          protocol: 'tcp',
          address: '127.0.0.1',
          port: 35_571,
          program: 'node',
          pid: 14_815,
        },
        { name: 'tcp/0.0.0.0:2024', protocol: 'tcp', address: '0.0.0.0', port: 2024, program: '', pid: null },
        { name: 'tcp/*:3000', protocol: 'tcp', address: '*', port: 3000, program: 'x', pid: 7 },
        { name: 'tcp/[::]:22', protocol: 'tcp', address: '::', port: 22, program: 'sshd', pid: 734 },
        {
          name: 'tcp/[fe80::1%eth0]:8080',
          protocol: 'tcp',
          address: 'fe80::1%eth0',
          port: 8080,
          program: '',
          pid: null,
        },
      ],
    })
  })

  test('a program whose name looks like a line or a process is no other port', () => {
    const odd = `#@ ss\ntcp LISTEN 0 5 0.0.0.0:1 0.0.0.0:* users:(("a\ntcp U 0 0 *:1 *",pid=3,fd=4))\ntcp LISTEN 0 5 0.0.0.0:2 0.0.0.0:* users:(("\u001b[31m",pid=4,fd=4))\n`
    expect(rowsOf(parse(odd))).toMatchObject([
      { name: 'tcp/0.0.0.0:1', program: '' },
      { name: 'tcp/0.0.0.0:2', program: '\\x1b[31m' },
    ])
  })
})

// The first two lines were recorded on Debian 12, the others written by hand from proc(5).
const proc = `#@ proc
tcp 0100007F:8AF3 0A
tcp 00000000:07E8 0A
tcp 0100007F:0016 07
tcp6 00000000000000000000000000000000:0016 0A
tcp6 00000000000000000000000001000000:0277 0A
tcp6 0000000000000000FFFF00000100007F:1F90 0A
udp6 000080FE00000000FF565402563412FE:0222 07
udp 00000000:0044 07
`

test('ports of /proc/net, without processes', () => {
  expect(rowsOf(parse(proc)).map(({ name, pid, program }) => [name, pid, program])).toEqual(
    [
      'tcp/127.0.0.1:35571',
      'tcp/0.0.0.0:2024',
      'tcp/[::]:22',
      'tcp/[::1]:631',
      'tcp/[::ffff:127.0.0.1]:8080',
      'udp/[fe80::254:56ff:fe12:3456]:546',
      'udp/0.0.0.0:68',
    ].map((name) => [name, null, '']),
  )
})

test('who can reach a port, by its address', () => {
  const openTo = (address: string) => port.derived.open_to!({ id: 1, address }, {} as never)
  for (const address of ['*', '0.0.0.0', '::']) expect(openTo(address)).toBe('everywhere')
  for (const address of ['127.0.0.1', '127.0.0.53%lo', '::1', '::ffff:127.0.0.1']) expect(openTo(address)).toBe('local')
  for (const address of ['10.0.0.1', 'fe80::1%eth0', '::12']) expect(openTo(address)).toBe('address')
})

test('a host that cannot be read is no empty list', () => {
  expect(parse('#@ unsupported\n')).toEqual({ state: 'not supported' })
  expect(parse('')).toEqual({ state: 'failed' })
})
