import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as mmdb from 'mmdb-lib'
import type { Base } from '../../base.ts'
import { isPublic } from '../../kernel/net/address-ranges.ts'

const require = createRequire(import.meta.url)

/** The combined table of IPv4 and IPv6, CC0-1.0 (dependencies.md 3). */
const tableFile = () => require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')

/** Maps an address to a lower-case ISO code, or ''. The table (8 MB) is read for the first public address. */
export function createCountryOf({ log }: Pick<Base, 'log'>): (address: string) => string {
  let reader: mmdb.Reader<mmdb.CountryResponse> | null | undefined
  function open() {
    try {
      return new mmdb.Reader<mmdb.CountryResponse>(readFileSync(tableFile()))
    } catch (error) {
      log.warn({ err: error }, 'cannot read the country table; servers are shown without a country')
      return null
    }
  }
  return (address) => {
    if (!isPublic(address)) return ''
    reader ??= reader === null ? null : open()
    const found: unknown = reader?.get(address)
    const code = (found as { country_code?: unknown } | null)?.country_code
    return typeof code === 'string' ? code.toLowerCase() : ''
  }
}
