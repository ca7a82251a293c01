import type { Machine } from '../machine.ts'

/** Bytes through the real network cards since boot. */
export interface Traffic {
  inBytes: number
  outBytes: number
}

/** Interfaces whose traffic another interface counts too. Used if no card is visible, as in a container. */
const virtualName = /^(lo$|tun|tap|docker|veth|br-|virbr|vmbr|vnet|kube|cali|cni|flannel|tailscale|wg|ifb|dummy|fw)/

/** Bytes of each interface in /proc/net/dev. */
export const parseInterfaces = (dev: string): Map<string, Traffic> => {
  const found = new Map<string, Traffic>()
  for (const line of dev.split('\n')) {
    const match = /^ *([^ :]+): *(.+)$/.exec(line)
    if (!match) continue
    const fields = match[2]!.split(/ +/).map(Number)
    found.set(match[1]!, { inBytes: fields[0] ?? 0, outBytes: fields[8] ?? 0 })
  }
  return found
}

/**
 * Reads the traffic of the interfaces that the settings name, or of the real cards if they name none. The function
 * checks again which cards are real when the set of interfaces changes.
 */
export const createTrafficReader = (
  machine: Machine,
): ((allowed?: Readonly<Record<string, boolean>>) => Promise<Traffic>) => {
  let known = ''
  let real: string[] = []
  const findReal = async (names: string[]): Promise<string[]> => {
    const entries = await Promise.all(names.map((name) => machine.list(`/sys/class/net/${name}`)))
    const cards = names.filter((_, index) => entries[index]!.includes('device'))
    return cards.length > 0 ? cards : names.filter((name) => !virtualName.test(name))
  }
  return async (allowed = {}) => {
    const interfaces = parseInterfaces(await machine.read('/proc/net/dev'))
    const names = [...interfaces.keys()]
    if (names.join() !== known) {
      real = await findReal(names)
      known = names.join()
    }
    const counted = Object.keys(allowed).length > 0 ? names.filter((name) => allowed[name]) : real
    const sum = (pick: (traffic: Traffic) => number) =>
      counted.reduce((total, name) => total + pick(interfaces.get(name)!), 0)
    return { inBytes: sum((traffic) => traffic.inBytes), outBytes: sum((traffic) => traffic.outBytes) }
  }
}

/** Bytes a second between two counters; 0 when the counter went down or no time has passed. */
export const toRatePerSec = (before: number, after: number, elapsedMs: number): number =>
  elapsedMs > 0 ? Math.max(0, Math.round(((after - before) * 1000) / elapsedMs)) : 0
