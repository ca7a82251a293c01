import { isIP } from 'node:net'
import type { Machine } from '../../machine/machine.ts'
import { type Finding, failure, isHost, joinHostPort, splitHostPort, toErrorText } from './probe.ts'

/** The next address is tried beside the ones before after this many milliseconds, or as soon as one has failed. Source: RFC 8305. */
const nextMs = 250

/** The addresses that a host stands for, in the order to try them, or why there are none. */
export const addressesOf = async (machine: Machine, host: string): Promise<readonly [string, ...string[]] | string> => {
  if (isIP(host)) return [host]
  try {
    const [first, ...others] = isHost(host) ? await machine.resolve(host) : []
    return first === undefined ? `lookup ${host}: no such host` : [first, ...others]
  } catch (error) {
    return `lookup ${host}: ${toErrorText(error)}`
  }
}

/** How one address answered: how long its connection took, or why there is none. */
type Attempt = { address: string } & ({ delay: number } | { error: string })

/** Tries addresses as a browser does: the first that answers ends the others. Returns that one, or all that failed. */
const dial = async (
  machine: Machine,
  addresses: readonly string[],
  { port, timeoutMs }: { port: number; timeoutMs: number },
): Promise<Attempt[]> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)])
  const attempt = async (address: string): Promise<Attempt> => {
    const startedAt = machine.now()
    try {
      await machine.connect(address, port, signal)
      return { address, delay: machine.now() - startedAt }
    } catch (error) {
      const text = toErrorText(error)
      return { address, error: text.startsWith('dial ') ? text : `dial tcp ${joinHostPort(address, port)}: ${text}` }
    }
  }
  const running: Promise<Attempt>[] = []
  let answered: (found: Attempt) => void = () => {}
  const answer = new Promise<Attempt>((resolve) => {
    answered = resolve
  })
  try {
    for (const address of addresses) {
      const one = attempt(address)
      running.push(one)
      void one.then((found) => 'delay' in found && answered(found))
      const isLast = running.length === addresses.length
      const wait = isLast ? Promise.all(running) : Promise.race([one, machine.sleep(nextMs, signal)])
      const found = await Promise.race([answer, wait])
      if (found && 'delay' in found) return [found]
    }
    return await Promise.race([answer.then((found) => [found]), Promise.all(running)])
  } finally {
    over.abort()
  }
}

/** Task 3: how long a TCP connection takes, without the time of the name look-up. Of a host with several addresses it says which one answered. */
export const probeTcp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const place = splitHostPort(target)
  if (typeof place === 'string') return failure(place)
  const addresses = await addressesOf(machine, place.host)
  if (typeof addresses === 'string') return failure(addresses)
  const attempts = await dial(machine, addresses, { port: place.port, timeoutMs })
  const [first] = attempts
  if (first && 'delay' in first) {
    const which = addresses.length > 1 ? { address: joinHostPort(first.address, place.port) } : {}
    return { successful: true, delay: first.delay, ...which }
  }
  return failure(attempts.map((one) => ('error' in one ? one.error : '')).join('; '))
}
