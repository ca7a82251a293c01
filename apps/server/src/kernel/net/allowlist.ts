import { isIP } from 'node:net'
import { isNear, isPublic, isWithin, plainAddress, rangesOf } from './address-ranges.ts'

export type Allowlist = ReturnType<typeof createAllowlist>

interface Entry {
  port: number | null
  matches(host: string, address: string): boolean
}

/** Reads entries such as `10.0.0.0/8`, `192.168.1.5:8080`, `[fd00::5]:443`, `push.lan:8080`; invalid ones allow nothing. This host and its link need an entry of their own: an address, a block or `localhost`. */
export function createAllowlist(entries: readonly string[]) {
  const read = entries.flatMap((text) => readEntry(text.trim().toLowerCase()) ?? [])
  return {
    allows: ({ host, port, address }: { host: string; port: number; address: string }) =>
      isPublic(address) ||
      read.some((entry) => (entry.port ?? port) === port && entry.matches(host.toLowerCase(), plainAddress(address))),
  }
}

function readEntry(text: string): Entry | null {
  const [, name = '', portText] = /^(\[[^\]]*\]|[^:]*|[\da-f:.]*:[\da-f:.]*:[\da-f:./]*)(?::(\d+))?$/.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  const [first = '', bits] = name.split('/')
  const address = plainAddress(first)
  if (isIP(address) !== 0) return blockEntry(address, bits, port)
  if (!/^[a-z\d]([a-z\d._-]*[a-z\d])?$/.test(name)) return null
  return { port, matches: (host, found) => host === name && (name === 'localhost' || !isNear(found)) }
}

function blockEntry(address: string, bits: string | undefined, port: number | null): Entry | null {
  const most = isIP(address) === 4 ? 32 : 128
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1
  if (length > most) return null
  const range = rangesOf([`${address}/${length}`])
  const namesNear = isNear(address) && length >= 8
  return { port, matches: (_host, found) => isWithin(found, range) && (namesNear || !isNear(found)) }
}
