import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createUnauthenticated } from './unauthenticated.ts'

class Peer extends EventEmitter {
  destroyed = false
  readonly remoteAddress: string
  readonly remotePort: number
  constructor(address: string, port: number) {
    super()
    this.remoteAddress = address
    this.remotePort = port
  }
  destroy() {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

function open() {
  const unauthenticated = createUnauthenticated({
    trusts: () => false,
    isOwn: () => false,
    descriptors: 100_000,
    log: { warn: () => undefined },
  })
  let port = 1000
  /** Lets `count` connections of each address get as far as the last of `kinds`; returns all, and those that the server serves by then. */
  async function dial(addresses: number, count: number, kinds: readonly ('tls' | 'http2')[]) {
    const served = new Set<Peer>()
    const peers: Peer[] = []
    const speak = (peer: Peer, [kind, ...rest]: readonly ('tls' | 'http2')[]): void => {
      if (!kind) return void served.add(peer)
      unauthenticated.speaks(kind, peer as unknown as Socket, () => speak(peer, rest))
    }
    for (let at = 0; at < addresses * count; at++) {
      const peer = new Peer(`198.51.100.${at % addresses}`, port++)
      peers.push(peer)
      unauthenticated.enter(peer as unknown as Socket, () => speak(peer, kinds))
    }
    await rest()
    return { served, peers }
  }
  async function rest() {
    for (let turns = 0; turns < 1000; turns++) await turn()
  }
  return { unauthenticated, dial, rest }
}

test.each([
  [['http2'], 24, 96],
  [['tls'], 96, 384],
  [['tls', 'http2'], 24, 96],
] as const)('unauthenticated connections that speak %s have a cap per address and in all', async (kinds, each, all) => {
  expect((await open().dial(1, 500, kinds)).served.size).toBe(each)
  const { dial, rest } = open()
  const { served } = await dial(10, 100, kinds)
  expect(served.size).toBe(all)
  // One that ends makes room for one that waits.
  const [first] = served
  first!.destroy()
  await rest()
  expect(served.size).toBe(all + 1)
})

test('a connection that shows valid credentials gives its places back', async () => {
  const { unauthenticated, dial, rest } = open()
  const { served } = await dial(1, 60, ['tls', 'http2'])
  expect(served.size).toBe(24)
  for (const { remoteAddress, remotePort } of [...served])
    unauthenticated.authenticated(`${remoteAddress}:${remotePort}`)
  await rest()
  expect(served.size).toBe(48)
})

test.each([
  ['http2', 24, 0],
  ['tls', 96, 36],
] as const)(
  'of 36 that wait to speak %s behind %i others, %i still wait after 10 seconds',
  async (kind, most, left) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { unauthenticated, dial, rest } = open()
    const { served, peers } = await dial(1, most + 36, [kind])
    expect(served.size).toBe(most)
    // Those that are served have no time limit from now on, so that no place gets free.
    for (const socket of served) unauthenticated.heard({ socket, headers: {} } as unknown as IncomingMessage)
    const waiting = async () => {
      await rest()
      return peers.filter((peer) => !peer.destroyed && !served.has(peer)).length
    }
    vi.advanceTimersByTime(9999)
    expect(await waiting()).toBe(36)
    vi.advanceTimersByTime(1)
    expect(await waiting()).toBe(left)
    expect(served.size).toBe(most)
  },
)

test('R-20 who waits for HTTP/2 at an address whose agents come back waits until none has for 10 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { unauthenticated, dial, rest } = open()
  const { served, peers } = await dial(2, 60, ['http2'])
  const first = peers[0]!
  const waiting = async () => {
    await rest()
    // Those that are served have no time limit from now on.
    for (const socket of served) unauthenticated.heard({ socket, headers: {} } as unknown as IncomingMessage)
    const left = peers.filter((peer) => !peer.destroyed && !served.has(peer))
    return [first.remoteAddress, peers[1]!.remoteAddress].map(
      (address) => left.filter(({ remoteAddress }) => remoteAddress === address).length,
    )
  }
  expect(await waiting()).toEqual([36, 36])
  vi.advanceTimersByTime(5000)
  unauthenticated.authenticated(`${first.remoteAddress}:${first.remotePort}`)
  expect(await waiting()).toEqual([35, 36])
  vi.advanceTimersByTime(5000)
  expect(await waiting()).toEqual([35, 0])
  vi.advanceTimersByTime(4999)
  expect(await waiting()).toEqual([35, 0])
  vi.advanceTimersByTime(1)
  expect(await waiting()).toEqual([0, 0])
})
