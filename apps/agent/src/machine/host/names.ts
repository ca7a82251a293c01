import { lookup as askSystem } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Machine } from '../machine.ts'
import { timedOut, within } from '../waiting.ts'
import type { Gate } from './gate.ts'

export interface NameParts {
  readHosts(): Promise<string>
  /** One place: the system’s lookup holds its thread while a name server is silent. */
  gate: Gate
  addresses(): string[]
  /** `ADDRESS:PORT` of other name servers. */
  nameServers?: readonly string[]
}

const servers = { timeout: 2_000, tries: 2 }
/** RFC 8305 asks for at least 50 ms. */
const otherFamilyMs = 300
const systemMs = 10_000

export const parseHosts = (hosts: string, host: string): string[] =>
  hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host.toLowerCase()) ? [address] : []
  })

/** Alternates families (RFC 8305), the reachable one first. */
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

/** Uses no thread. Empty: unknown name. Rejects if no server answers. */
const askServers = async (host: string, nameServers: NameParts['nameServers']): Promise<string[]> => {
  // New each time, because it reads the servers when created.
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
  if (answers === timedOut) {
    resolver.cancel()
    return first.found
  }
  const found = answers.flatMap((answer) => answer.found)
  const error = answers.find((answer) => isTimeout(answer.error))?.error
  if (found.length === 0 && error) throw error
  return found
}

/** A dead name server must not block anything else: /etc/hosts first, then name servers, then the system (other sources, search domains). */
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
