import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** What no name of a host holds, and a URL would read as something else. */
const notInHost = /[\s/?#@:%\\[\]<>^|"`{}]/

/**
 * A domain as it is on the wire: small letters, international names in ASCII (`münchen.example` is `xn--mnchen-3ya.example`), no dot at
 * the end. Null for a text that is none. Source: WHATWG URL, "domain to ASCII".
 */
export function asciiDomain(text: string): string | null {
  if (text === '' || notInHost.test(text)) return null
  try {
    const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
    return host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63) ? null : host
  } catch {
    return null
  }
}

/** Most domains of one profile. */
export const maxDomains = 200

/** A domain, kept in ASCII. */
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

/** True for an address, or a range in CIDR notation: `203.0.113.7`, `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => shapes().some((shape) => shape.safeParse(text).success)

/** An address or a range. */
export const addressRange = lazy(() =>
  z
    .string()
    .trim()
    .max(64)
    .refine(isAddressRange, { params: { code: 'notAddress' } }),
)

/**
 * A number for a record that the wire gives none, made of what names it: the same for the same texts, below 2^53 (two FNV-1a hashes,
 * draft-eastlake-fnv).
 */
export function numberOf(...names: readonly (string | number)[]): number {
  const bytes = new TextEncoder().encode(names.join(' '))
  const hash = (basis: number) => bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, basis)
  return (hash(0x811c9dc5) & 0x1fffff) * 2 ** 32 + hash(0x9747b28c)
}

/** True for nothing, or an address of a web server; placeholders in it are filled when a request is made. */
export function isWebAddress(text: string): boolean {
  return text === '' || /^https?:\/\/[^\s/?#]+/i.test(text)
}
