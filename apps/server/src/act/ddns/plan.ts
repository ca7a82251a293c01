import { isIP } from 'node:net'
import { type DdnsResult, ddnsResultKey, type GeoIp, RecordType } from '@qd/core/schemas'
import type { DdnsRow, ServerRow } from '../../store/records/rows.ts'

export interface WantedRecord {
  readonly domain: string
  readonly record: RecordType
  readonly address: string
}

type Addresses = NonNullable<GeoIp['ip']>

/** The server's addresses by IP version, whichever field the agent used. */
export function addressesOf({ ipv4_addr = '', ipv6_addr = '' }: Addresses = {}): { ipv4: string; ipv6: string } {
  const all = [ipv4_addr, ipv6_addr]
  const of = (version: number) => all.find((address) => isIP(address) === version) ?? ''
  return { ipv4: of(4), ipv6: of(6) }
}

export function profilesOf(
  server: Pick<ServerRow, 'enable_ddns' | 'ddns_profiles' | 'owner_id'>,
  profiles: { find(id: number): DdnsRow | undefined },
  isAdmin: (owner: number) => boolean,
): readonly DdnsRow[] {
  if (!server.enable_ddns) return []
  const mayServe = ({ owner_id }: DdnsRow) => owner_id === server.owner_id || (owner_id !== 0 && isAdmin(owner_id))
  return server.ddns_profiles.flatMap((id) => {
    const profile = profiles.find(id)
    return profile && mayServe(profile) ? [profile] : []
  })
}

export function wantedRecords(
  profile: Pick<DdnsRow, 'id' | 'domains' | 'enable_ipv4' | 'enable_ipv6'>,
  { override_ddns_domains: own }: Pick<ServerRow, 'override_ddns_domains'>,
  ip: Addresses | undefined,
): readonly WantedRecord[] {
  const { ipv4, ipv6 } = addressesOf(ip)
  const overriding = own[String(profile.id)] ?? []
  const domains = [...new Set(overriding.length > 0 ? overriding : profile.domains)]
  return domains.flatMap((domain) => [
    ...(profile.enable_ipv4 && ipv4 !== '' ? [{ domain, record: RecordType.ipv4, address: ipv4 }] : []),
    ...(profile.enable_ipv6 && ipv6 !== '' ? [{ domain, record: RecordType.ipv6, address: ipv6 }] : []),
  ])
}

type Results = DdnsRow['results']

/** Replaces one server's results; null: it no longer follows the profile. */
export function withResults(results: Results, serverId: number, fresh: readonly DdnsResult[] | null): Results {
  const others = Object.entries(results).filter(([, one]) => one.server_id !== serverId)
  const own = (fresh ?? []).map((one) => [ddnsResultKey(serverId, one.record, one.domain), one] as const)
  return Object.fromEntries([...others, ...own])
}
