import { isIP } from 'node:net'
import type { Machine } from '../../machine.ts'
import { joinHostPort, toErrorText } from './error-text.ts'
import { type Finding, failure } from './probe.ts'
import { isHost, splitHostPort } from './target.ts'

/** The first address that the system's resolver returns for a host, or why there is none. */
export const addressOf = async (machine: Machine, host: string): Promise<{ address: string } | string> => {
  if (isIP(host)) return { address: host }
  const [address] = isHost(host) ? await machine.resolve(host) : []
  return address === undefined ? `lookup ${host}: no such host` : { address }
}

/** Task 3: how long a TCP connection takes, without the time of the name look-up. */
export const probeTcp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const place = splitHostPort(target)
  if (typeof place === 'string') return failure(place)
  const found = await addressOf(machine, place.host)
  if (typeof found === 'string') return failure(found)
  const startedAt = machine.now()
  try {
    await machine.connect(found.address, place.port, timeoutMs)
    return { successful: true, delay: machine.now() - startedAt }
  } catch (error) {
    const text = toErrorText(error)
    return failure(text.startsWith('dial ') ? text : `dial tcp ${joinHostPort(found.address, place.port)}: ${text}`)
  }
}
