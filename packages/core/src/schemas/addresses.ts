import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** Characters that a hostname can’t contain, and a URL would parse as something else. */
const notInHost = /[\s/?#@:%\\[\]<>^|"`{}]/

/** Converts a domain to ASCII in lower case (`münchen.example` is `xn--mnchen-3ya.example`) without a trailing dot. Null if it isn’t one. Source: WHATWG URL, "domain to ASCII". */
export function asciiDomain(text: string): string | null {
  if (text === '' || notInHost.test(text)) return null
  try {
    const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
    return host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63) ? null : host
  } catch {
    return null
  }
}

export const maxDomains = 200

export const domain = z
  .string()
  .max(1000)
  .transform((typed, context) => {
    const text = typed.trim()
    const ascii = asciiDomain(text)
    if (ascii !== null) return ascii
    context.addIssue({ code: 'custom', params: { code: 'notDomain', text: text.slice(0, 100) } })
    return z.NEVER
  })

const shapes = lazy(() => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Whether a text is an IP address or a range in CIDR notation: `203.0.113.7`, `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => shapes().some((shape) => shape.safeParse(text).success)

export const addressRange = lazy(() =>
  z
    .string()
    .trim()
    .max(64)
    .refine(isAddressRange, { params: { code: 'notAddress' } }),
)

const encoder = new TextEncoder()

/** A stable ID below 2^53 for a record without one on the wire, from the texts that identify it (two FNV-1a hashes, draft-eastlake-fnv). */
export function numberOf(...names: readonly (string | number)[]): number {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (const byte of encoder.encode(names.join(' '))) {
    high = Math.imul(high ^ byte, 0x01000193)
    low = Math.imul(low ^ byte, 0x01000193)
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}

/** Whether a text is empty or a web address; placeholders are filled later. */
export function isWebAddress(text: string): boolean {
  return text === '' || /^https?:\/\/[^\s/?#]+/i.test(text)
}
