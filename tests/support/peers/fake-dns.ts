import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

/** A name server that knows where zones begin, and nothing else. */
export interface FakeDns {
  /** As the setting `dns_servers` has it: `127.0.0.1:PORT`. */
  readonly address: string
  /** Names that were asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Starts one that answers SOA for these zones, and that any other name has none (RFC 1035). */
export async function startFakeDns(zones: readonly string[]): Promise<FakeDns> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query)
    asked.push(name)
    const isZone = zones.includes(name)
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8580, 2)
    head.writeUInt16BE(isZone ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const rdata = Buffer.alloc(22)
    const answer = Buffer.from([0xc0, 12, 0, 6, 0, 1, 0, 0, 0, 60, 0, rdata.length])
    const parts = [head, query.subarray(12, end + 4), ...(isZone ? [answer, rdata] : [])]
    socket.send(Buffer.concat(parts), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
