import type { TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { expect, test } from 'vitest'
import { createFakeMachine } from '../../../../tests/support/agent/fake-machine.ts'
import { defaultConfig } from '../config/agent-config.ts'
import { defaultTiming } from '../config/timing.ts'
import type { Machine, ProgramRequest } from '../machine/machine.ts'
import { createTaskRunner } from '../wire/runner.ts'
import { createProbeHandlers, createTurns, isHost, isPlain, readReplies, splitHostPort, toErrorText } from './probes.ts'

async function probe(type: bigint, data: string, parts: Partial<Machine> = {}, config = {}) {
  const handlers = createProbeHandlers({
    machine: createFakeMachine({}, { sleep: () => new Promise(() => undefined), ...parts }),
    settings: {
      current: { ...defaultConfig, ...config },
      isSecretGiven: false,
      isWatchOnly: false,
      sendsHostname: false,
      updateKey: '',
      pin: async () => undefined,
      code: undefined,
      enrolled: async () => undefined,
      save: async () => undefined,
    },
    timing: defaultTiming,
    stop: new AbortController().signal,
  })
  const answer = await new Promise<Partial<TaskResult>>((resolve, reject) =>
    createTaskRunner(handlers, reject)(
      { id: 7n, type, data },
      { isOurs: false, send: resolve, openStream: () => reject(new Error('no streams')) as never },
    ),
  )
  return answer
}

function pinging(output: string, { errors = '', missing = false } = {}) {
  const requests: ProgramRequest[] = []
  const runProgram: Machine['runProgram'] = (request, { onOutput, onErrors }) => {
    requests.push(request)
    onOutput(Buffer.from(output))
    onErrors(Buffer.from(errors))
    const end = missing ? { error: 'executable file not found' } : { code: output ? 0 : 1 }
    return { ended: Promise.resolve(end), kill: () => undefined }
  }
  return { requests, runProgram }
}

const outputs = {
  iputils: `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.020 ms
64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=0.040 ms
64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=9.5 ms (DUP!)

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1000ms
rtt min/avg/max/mdev = 0.021/0.025/0.029/0.004 ms
`,
  busybox: 'PING ::1 (::1): 56 data bytes\n64 bytes from ::1: seq=0 ttl=64 time=0.090 ms\n',
  apple: 'PING 1.1.1.1 (1.1.1.1): 56 data bytes\n64 bytes from 1.1.1.1: icmp_seq=0 ttl=57 time=3.25 ms\n',
  fast: '64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time<1 ms\n',
}

test.each([
  ['iputils', [0.02, 0.04]],
  ['busybox', [0.09]],
  ['apple', [3.25]],
  ['fast', [1]],
] as const)('replies in the output of %s', (name, times) => {
  expect(readReplies(outputs[name])).toEqual(times)
})

test('a ping is good with one reply; the delay is the mean', async () => {
  const { requests, runProgram } = pinging(outputs.iputils)
  expect(await probe(taskType.icmpProbe, '127.0.0.1', { runProgram })).toMatchObject({ successful: true, delay: 0.03 })
  expect(requests).toEqual([
    { file: 'ping', args: ['-c', '5', '127.0.0.1'], folder: '', env: { LC_ALL: 'C' }, stdin: '' },
  ])
})

test('a name is looked up here, so that ping gets nothing but an address', async () => {
  const { requests, runProgram } = pinging(outputs.apple)
  await probe(taskType.icmpProbe, 'one.example', { runProgram, resolve: async () => ['1.1.1.1', '2.2.2.2'] })
  expect(requests[0]!.args).toEqual(['-c', '5', '1.1.1.1'])
})

test.each([
  ['nothing came back', pinging('PING x\n'), 'pockets recv 0'],
  [
    'ping says why',
    pinging('', { errors: 'ping: connect: Network is unreachable\n' }),
    'ping: connect: Network is unreachable',
  ],
  ['there is no ping', pinging('', { missing: true }), 'ping is not installed on this server'],
])('a ping fails: %s', async (_why, { runProgram }, data) => {
  expect(await probe(taskType.icmpProbe, '198.51.100.9', { runProgram })).toMatchObject({ successful: false, data })
})

test('IPv6 is tried with its own program first', async () => {
  const { requests, runProgram } = pinging('', { missing: true })
  await probe(taskType.icmpProbe, '::1', { runProgram })
  expect(requests.map(({ file }) => file)).toEqual(['ping6', 'ping'])
})

test('an https site tells issuer and end of its certificate', async () => {
  const certificate = { issuer: 'R11', expiresAt: new Date('2026-03-01T12:00:00Z') }
  const getPage = async () => ({ status: 302, reason: 'Found', certificate })
  expect(await probe(taskType.httpProbe, 'https://a.example/', { getPage })).toMatchObject({
    successful: true,
    data: 'R11|2026-03-01 12:00:00 +0000 UTC',
  })
})

test('a status of an error is a failure with its delay', async () => {
  let now = 0
  const getPage = async () => {
    now = 12.5
    return { status: 404, reason: 'Not Found', certificate: undefined }
  }
  expect(await probe(taskType.httpProbe, 'http://a.example/', { getPage, now: () => now })).toEqual({
    id: 7n,
    type: 1n,
    successful: false,
    data: '\n应用错误: 404 Not Found',
    delay: 12.5,
  })
})

test('a password in the address is not told', async () => {
  const { data } = await probe(taskType.httpProbe, 'http://me:secret@a.example/')
  expect(data).toBe('Get "http://me:xxxxx@a.example/": no network')
})

test.each([taskType.httpProbe, taskType.icmpProbe, taskType.tcpProbe])(
  'type %s: hostile targets are refused',
  async (type) => {
    for (const target of ['-f', '--help', 'a\nb', 'a b', '', '\u0000', 'x'.repeat(100_000), 'a\u202eb'])
      expect(await probe(type, target)).toMatchObject({ successful: false, data: 'invalid target' })
  },
)

test.each([taskType.httpProbe, taskType.icmpProbe, taskType.tcpProbe])('type %s: probes switched off', async (type) => {
  expect(await probe(type, 'localhost', {}, { disable_send_query: true })).toMatchObject({
    successful: false,
    data: 'This server has disabled query sending',
  })
})

test.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'javascript:alert(1)', 'nonsense', '//host/'])(
  'HTTP: %s is no web address',
  async (target) => {
    expect(await probe(taskType.httpProbe, target)).toMatchObject({
      data: 'invalid URL: only http and https schemes are supported',
    })
  },
)

test.each([
  ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ['[::1]:8080', { host: '::1', port: 8080 }],
  ['db.example:5432', { host: 'db.example', port: 5432 }],
  ['127.0.0.1', 'address 127.0.0.1: missing port in address'],
  ['[::1]', 'address [::1]: missing port in address'],
  ['::1:80', 'address ::1:80: too many colons in address'],
  ['host:http', 'address host:http: invalid port'],
  ['host:0', 'address host:0: invalid port'],
  ['host:65536', 'address host:65536: invalid port'],
  [':80', 'lookup : no such host'],
])('host and port of %s', (target, expected) => {
  expect(splitHostPort(target)).toEqual(expected)
})

test.each([
  ['web-1.example', true],
  ['münchen.example', true],
  ['fe80::1%eth0', true],
  ['-c', false],
  ['$(reboot)', false],
  ['a;b', false],
  ['', false],
])('host %s: %s', (text, isOne) => {
  expect(isHost(text) && isPlain(text)).toBe(isOne)
})

test.each([
  [
    { code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 1 },
    'dial tcp [::1]:1: connect: connection refused',
  ],
  [
    { errors: [{ code: 'EHOSTUNREACH', syscall: 'connect', address: '10.0.0.1', port: 2 }] },
    'dial tcp 10.0.0.1:2: connect: no route to host',
  ],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' }, 'lookup nowhere: no such host'],
  [{ name: 'TimeoutError' }, 'i/o timeout'],
  [{ message: 'certificate has expired', code: 'CERT_HAS_EXPIRED' }, 'certificate has expired'],
  [{ code: 'EPROTO' }, 'EPROTO'],
])('%j in the words of existing agents', (error, text) => {
  expect(toErrorText(error)).toBe(text)
})

test('so many probes at a time, so many wait, one more is told', async () => {
  const inTurn = createTurns(2, 1)
  const ends: (() => void)[] = []
  const work = (name: string) => () => new Promise<string>((resolve) => ends.push(() => resolve(name)))
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)))
  expect(await fourth).toBeUndefined()
  expect(ends).toHaveLength(2)
  ends[0]!()
  expect(await first).toBe('a')
  await expect.poll(() => ends.length).toBe(3)
  ends[1]!()
  ends[2]!()
  expect(await Promise.all([second, third])).toEqual(['b', 'c'])
})
