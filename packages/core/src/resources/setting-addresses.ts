import * as z from 'zod'
import { lazy } from '../define/index.ts'
import { textParts } from '../i18n/index.ts'
import { asciiDomain, isAddressRange } from '../schemas/index.ts'

/** An address range, an address, or a host, each perhaps with a port: `10.0.0.0/8`, `push.lan:8080`, `[fd00::1]:443`. */
export const outboundTarget: RegExp =
  /^(?:[\d.]+\/\d{1,2}|[0-9a-f:]+\/\d{1,3}|(?:\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?|[0-9a-f]*:[0-9a-f:]+)$/i

/** `9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe`, `[2620:fe::fe]:53`. */
function isDnsServer(entry: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isAddressRange(address) && !address.includes('/') && Number(port) > 0 && Number(port) <= 65_535
}

/** DNS servers by address, each perhaps with a port, as a list (`textParts`); empty: none. */
export const dnsServers = lazy(() =>
  z
    .string()
    .max(1000)
    .refine((text) => textParts(text).every(isDnsServer), { params: { code: 'notAddress' } }),
)

/** Host names, each perhaps with a port, as a list (`textParts`); empty: none. */
export const hostNames = lazy(() =>
  z
    .string()
    .max(4000)
    .check(({ value, issues }) => {
      const wrong = textParts(value).find((entry) => asciiDomain(entry.replace(/:\d{1,5}$/, '')) === null)
      if (wrong !== undefined)
        issues.push({ code: 'custom', input: value, params: { code: 'notDomain', text: wrong.slice(0, 100) } })
    }),
)

/** Domains with commas, whose subdomains are meant: `*.apps.example.net` is `apps.example.net`; empty: none. */
export const domainSuffixes = lazy(() =>
  z
    .string()
    .max(4000)
    .transform((typed, context) => {
      const names = textParts(typed).map((entry) => ({ entry, name: asciiDomain(entry.replace(/^\*?\./, '')) }))
      const wrong = names.find(({ name }) => name === null)
      if (wrong === undefined) return names.map(({ name }) => name).join(', ')
      context.addIssue({ code: 'custom', params: { code: 'notDomain', text: wrong.entry.slice(0, 100) } })
      return z.NEVER
    }),
)
