import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { IP } from '@qd/protocol/agent'
import type { AgentConfig } from '../config/agent-config.ts'
import type { Machine } from './machine.ts'

const notPublic = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4')
notPublic.addSubnet('fc00::', 7, 'ipv6')
notPublic.addSubnet('::1', 128, 'ipv6')

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')
const isPublic = (address: string): boolean => !notPublic.check(address, family(address))

const toIp = (addresses: string[]): IP =>
  IP.create({ ipv4: addresses.find(isIPv4) ?? '', ipv6: addresses.find(isIPv6) ?? '' })

/** A page that is an address or has a line `ip=<address>` (agent contract 2.5). */
export const parseAddressPage = (text: string): string => {
  const address = (/^ip=(.*)$/m.exec(text)?.[1] ?? text).trim()
  return isIPv4(address) || isIPv6(address) ? address : ''
}

const askPages = async (machine: Machine, urls: string[], version: 4 | 6): Promise<string> => {
  for (const url of urls) {
    const address = parseAddressPage(await machine.fetchText(url, version).catch(() => ''))
    // A URL with an IP address is reached over that family, whichever was requested.
    if (address && family(address) === `ipv${version}`) return address
  }
  return ''
}

/** Addresses seen by the configured pages, else the own public ones. Else none if the server is on the internet and sees one, or the private ones. */
export const findAddresses = async (
  machine: Machine,
  { custom_ip_api: pages, server }: Pick<AgentConfig, 'custom_ip_api' | 'server'>,
): Promise<IP> => {
  const [ipv4, ipv6] = await Promise.all([askPages(machine, pages, 4), askPages(machine, pages, 6)])
  if (ipv4 || ipv6) return { ipv4, ipv6 }
  const own = machine.addresses().filter((address) => !linkLocal.check(address, family(address)))
  if (own.some(isPublic)) return toIp(own.filter(isPublic))
  const servers = await machine.resolve(server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  return toIp(servers.some(isPublic) ? [] : own)
}
