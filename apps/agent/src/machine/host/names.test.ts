import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createGate } from './gate.ts'
import { createNames, interleave, parseHosts } from './names.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

/** What a name server says to one question: addresses (none: there is no such name), or nothing at all. */
type Says = (name: string, family: 4 | 6) => readonly string[] | 'silent'

/** A name server of one rule (RFC 1035). */
const startServer = async (says: Says): Promise<string> => {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const family = query.readUInt16BE(at + 1) === 28 ? 6 : 4
    const found = says(labels.join('.'), family)
    if (found === 'silent') return
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(found.length, 6)
    head.writeUInt32BE(0, 8)
    const records = found.map((one) => {
      const data =
        family === 4 ? Buffer.from(one.split('.').map(Number)) : Buffer.concat([Buffer.alloc(15), Buffer.of(1)])
      return Buffer.concat([Buffer.from([0xc0, 12, 0, family === 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
    })
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`
}
const namesWith = async (says: Says, hosts = '', own: string[] = []) =>
  createNames({
    readHosts: async () => hosts,
    gate: createGate(1),
    addresses: () => own,
    nameServers: [await startServer(says)],
  })

test('issue 36.2: a name server that says nothing is told as that, and not as a name that isn’t there', async () => {
  const names = await namesWith(() => 'silent')
  await expect(names.resolve('dead.test')).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: 'lookup dead.test: i/o timeout',
  })
})

test('issue 36.2: look-ups that wait for a silent name server hold no others up', async () => {
  const names = await namesWith((name, family) =>
    name.startsWith('dead') ? 'silent' : family === 4 ? ['192.0.2.7'] : [],
  )
  const dead = Promise.allSettled(Array.from({ length: 20 }, (_, n) => names.resolve(`dead${n}.test`)))
  let isOver = false
  void dead.then(() => {
    isOver = true
  })
  expect(await names.resolve('fine.test')).toEqual(['192.0.2.7'])
  expect(isOver).toBe(false)
  expect((await dead).every(({ status }) => status === 'rejected')).toBe(true)
})

test('issue 36.6: both families, and one of which nothing is heard is not waited for long', async () => {
  const both = await namesWith((_, family) => (family === 4 ? ['192.0.2.1', '192.0.2.2'] : ['::1']))
  expect(await both.resolve('both.test')).toEqual(['192.0.2.1', '::1', '192.0.2.2'])
  const half = await namesWith((_, family) => (family === 4 ? ['192.0.2.1'] : 'silent'))
  expect(await half.resolve('half.test')).toEqual(['192.0.2.1'])
})

test('/etc/hosts comes first, in any case of letters and without comments', async () => {
  const hosts =
    '127.0.0.1 localhost\n::1\tdual.test Other.test # comment.test\n#127.0.0.3 no.test\n127.0.0.2 dual.test\n'
  expect(parseHosts(hosts, 'other.TEST')).toEqual(['::1'])
  expect([...parseHosts(hosts, 'comment.test'), ...parseHosts(hosts, 'no.test')]).toEqual([])
  const names = await namesWith(() => 'silent', hosts, ['2001:db8::5'])
  expect(await names.resolve('dual.test')).toEqual(['::1', '127.0.0.2'])
})

test('a machine with a way to IPv6 begins with it', () => {
  expect(interleave(['1.1.1.1', '1.1.1.2', '::a', '::b', '::c'], true)).toEqual([
    '::a',
    '1.1.1.1',
    '::b',
    '1.1.1.2',
    '::c',
  ])
})

test('the form that sockets use: one family, one or all, and an error as the system’s', async () => {
  const { lookup } = await namesWith((name, family) => (name === 'none.invalid' || family === 6 ? [] : ['192.0.2.1']))
  const ask = (host: string, options: { family?: number; all?: boolean }) =>
    new Promise((resolve) => lookup(host, options, (...answer) => resolve(answer)))
  expect(await ask('a.test', {})).toEqual([null, '192.0.2.1', 4])
  expect(await ask('a.test', { all: true })).toEqual([null, [{ address: '192.0.2.1', family: 4 }]])
  expect(await ask('a.test', { family: 6 })).toMatchObject([
    { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'a.test' },
    '',
  ])
  expect(await ask('none.invalid', {})).toMatchObject([{ code: 'ENOTFOUND' }, ''])
})
