import { isIP } from 'node:net'
import type { Machine } from '../../machine/machine.ts'
import { type Finding, failure, isHost, joinHostPort, splitHostPort, toErrorText } from './probe.ts'

/** See RFC 8305. */
const nextMs = 250

/** In the order to try them, or why there are none. */
export const addressesOf = async (machine: Machine, host: string): Promise<readonly [string, ...string[]] | string> => {
  if (isIP(host)) return [host]
  try {
    const [first, ...others] = isHost(host) ? await machine.resolve(host) : []
    return first === undefined ? `lookup ${host}: no such host` : [first, ...others]
  } catch (error) {
    return `lookup ${host}: ${toErrorText(error)}`
  }
}

type Attempt = { address: string } & ({ delay: number } | { error: string })

/** Happy Eyeballs: the first success ends the others. Returns it, or all failures. */
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

/** Task 3: connection time without lookup, and which of several addresses answered. */
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
