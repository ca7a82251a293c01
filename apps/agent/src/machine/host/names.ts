import { lookup as askSystem } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Machine } from '../machine.ts'
import { late, within } from '../waiting.ts'
import type { Gate } from './gate.ts'

/** Where the addresses of a name come from. */
export interface NameParts {
  /** Text of /etc/hosts. */
  readHosts(): Promise<string>
  /** One place, because the system’s own look-up keeps its thread for as long as a name server is silent. */
  gate: Gate
  /** Addresses of this machine. */
  addresses(): string[]
  /** `ADDRESS:PORT` of the name servers to ask instead of the system’s. */
  nameServers?: readonly string[]
}

/** Each name server is asked so often, and waited for so long. */
const servers = { timeout: 2_000, tries: 2 }
/** How long the addresses of one family wait for those of the other. Source: RFC 8305 asks for at least 50 ms. */
const otherFamilyMs = 300
/** After this time the system doesn’t know a name. */
const systemMs = 10_000

/** Addresses of a name in /etc/hosts, in its order. */
export const parseHosts = (hosts: string, host: string): string[] =>
  hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host.toLowerCase()) ? [address] : []
  })

/** Addresses by turns of both families, as RFC 8305 tries them; a family that this machine has no way to comes second. */
export const interleave = (addresses: readonly string[], prefers6: boolean): string[] => {
  const six = addresses.filter((address) => address.includes(':'))
  const four = addresses.filter((address) => !address.includes(':'))
  const [first, second] = prefers6 ? [six, four] : [four, six]
  return Array.from({ length: Math.max(six.length, four.length) }, (_, n) => [first[n], second[n]])
    .flat()
    .filter((address) => address !== undefined)
}

const isTimeout = (error: unknown): boolean =>
  ['ETIMEOUT', 'ECANCELLED', 'ENORESPONSE'].includes(String((error as { code?: unknown } | undefined)?.code))

/** Asks the name servers, which takes no thread. An empty answer: they know no such name. Errors: rejects if none of them answers. */
const askServers = async (host: string, nameServers: NameParts['nameServers']): Promise<string[]> => {
  // Made anew for each name, as it reads which servers there are when it is made.
  const resolver = new Resolver(servers)
  if (nameServers) resolver.setServers(nameServers)
  const ask = (answer: Promise<string[]>) =>
    answer.then(
      (found) => ({ found, error: undefined }),
      (error) => ({ found: [], error }),
    )
  const asked = [ask(resolver.resolve4(host)), ask(resolver.resolve6(host))]
  const first = await Promise.race(asked)
  const both = Promise.all(asked)
  const answers = await (first.found.length > 0 ? within(otherFamilyMs, both) : both)
  if (answers === late) {
    resolver.cancel()
    return first.found
  }
  const found = answers.flatMap((answer) => answer.found)
  const error = answers.find((answer) => isTimeout(answer.error))?.error
  if (found.length === 0 && error) throw error
  return found
}

/**
 * Looks names up so that a dead name server holds nothing else up: in /etc/hosts, then by the name servers, and only for what they don’t know
 * (other sources, search domains) by the system.
 */
export const createNames = ({
  readHosts,
  gate,
  addresses,
  nameServers,
}: NameParts): { resolve: Machine['resolve']; lookup: LookupFunction } => {
  const askSystemFor = (host: string): Promise<string[]> =>
    gate.run(
      host,
      systemMs,
      () =>
        new Promise((resolve) => {
          askSystem(host, { all: true }, (_error, found) => resolve((found ?? []).map(({ address }) => address)))
        }),
    )
  const resolve = async (host: string): Promise<string[]> => {
    const listed = parseHosts(await readHosts(), host)
    const served = listed.length > 0 ? listed : await askServers(host, nameServers)
    const found = served.length > 0 ? served : await askSystemFor(host)
    return interleave(
      [...new Set(found)],
      addresses().some((address) => /^[23][\da-f]{3}:/i.test(address)),
    )
  }
  return {
    resolve: (host) =>
      resolve(host).catch((error) => {
        throw isTimeout(error) ? Object.assign(new Error(`lookup ${host}: i/o timeout`), { code: 'ETIMEDOUT' }) : error
      }),
    lookup(host, { family, all }, callback) {
      const isWanted = (address: string) => !family || family === (address.includes(':') ? 6 : 4)
      resolve(host).then(
        (found) => {
          const wanted = found.filter(isWanted).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
          const [first] = wanted
          if (!first)
            callback(
              Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
                code: 'ENOTFOUND',
                syscall: 'getaddrinfo',
                hostname: host,
              }),
              '',
            )
          else if (all) callback(null, wanted)
          else callback(null, first.address, first.family)
        },
        (error) => callback(error, ''),
      )
    },
  }
}
