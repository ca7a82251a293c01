import * as z from 'zod'
import { lazy } from '../define/index.ts'

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
