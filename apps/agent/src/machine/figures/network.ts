import type { Machine } from '../machine.ts'
import { toCount } from './numbers.ts'

export interface Traffic {
  inBytes: number
  outBytes: number
}

/** Interfaces counted by others too. Used if no card is visible, as in containers. */
const virtualName = /^(lo$|tun|tap|docker|veth|br-|virbr|vmbr|vnet|kube|cali|cni|flannel|tailscale|wg|ifb|dummy|fw)/

export const parseInterfaces = (dev: string): Map<string, Traffic> => {
  const found = new Map<string, Traffic>()
  for (const [, name, text] of dev.matchAll(/^ *([^ :|]+): *(.+)$/gm)) {
    const fields = text!.trim().split(/ +/).map(toCount)
    const [inBytes, outBytes] = [fields[0], fields[8]]
    if (inBytes !== undefined && outBytes !== undefined) found.set(name!, { inBytes, outBytes })
  }
  return found
}

/** DSA switch ports have a device too, and a lower card that counts their traffic. */
const isCard = (entries: readonly string[]): boolean =>
  entries.includes('device') && !entries.some((entry) => entry.startsWith('lower_'))

/** Reads the configured interfaces, or the real cards. Each interface is examined once. */
export const createTrafficReader = (
  machine: Pick<Machine, 'read' | 'list'>,
): ((allowed?: Readonly<Record<string, boolean>>) => Promise<Traffic | undefined>) => {
  let known = new Map<string, boolean>()
  const examine = async (names: readonly string[]) => {
    const examined = names.map(async (name) => {
      return [name, known.get(name) ?? isCard(await machine.list(`/sys/class/net/${name}`))] as const
    })
    known = new Map(await Promise.all(examined))
  }
  return async (allowed = {}) => {
    const interfaces = parseInterfaces(await machine.read('/proc/net/dev'))
    const names = [...interfaces.keys()]
    if (names.length === 0) return undefined
    if (names.length !== known.size || names.some((name) => !known.has(name))) await examine(names)
    const cards = names.filter((name) => known.get(name))
    const real = cards.length > 0 ? cards : names.filter((name) => !virtualName.test(name))
    const counted = Object.keys(allowed).length > 0 ? names.filter((name) => allowed[name]) : real
    const sum = (pick: (traffic: Traffic) => number) =>
      counted.reduce((total, name) => total + pick(interfaces.get(name)!), 0)
    return { inBytes: sum((traffic) => traffic.inBytes), outBytes: sum((traffic) => traffic.outBytes) }
  }
}

export const toRatePerSec = (before: number, after: number, elapsedMs: number): number =>
  elapsedMs > 0 ? Math.max(0, Math.round(((after - before) * 1000) / elapsedMs)) : 0
