import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Random } from '../kernel/ports.ts'

/** How long one code lasts, in seconds. */
const period = 30
/** Steps before and after the present one whose codes count: a person types slowly, clocks differ a little. */
const window = 1
/** Steps within which a code tells how wrong the phone's clock is. */
const hintWindow = 20

/** What a code of an authenticator is worth. `step` is the one it belongs to; `seconds` how far the phone's clock is ahead. */
export type Judgement =
  | { kind: 'good'; step: number }
  | { kind: 'used' }
  | { kind: 'clock'; seconds: number }
  | { kind: 'wrong' }

/** A new key for an authenticator, base32. */
export const newKey = (random: Random): string => secretOf(random.bytes(20)).base32

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer })

const generator = (key: string) => new TOTP({ secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period })

/** The address that authenticators read from a QR code; short, so that the code fits on a terminal of 80x24. */
export function keyUri(key: string, { issuer, label }: { issuer: string; label: string }): string {
  const plain = (text: string) => encodeURIComponent(text.replaceAll(':', ' '))
  return `otpauth://totp/${plain(label)}?secret=${key}&issuer=${plain(issuer)}`
}

/** Judges a code of six digits. `lastStep`: of the code that was used last; it and earlier ones are used up. `now` in epoch ms. Pure. */
export function judgeCode(key: string, code: string, { now, lastStep }: { now: number; lastStep: number }): Judgement {
  const present = Math.floor(now / 1000 / period)
  const find = (within: number) => generator(key).validate({ token: code, timestamp: now, window: within })
  const near = find(window)
  if (near !== null) return present + near > lastStep ? { kind: 'good', step: present + near } : { kind: 'used' }
  const far = find(hintWindow)
  return far === null ? { kind: 'wrong' } : { kind: 'clock', seconds: far * period }
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Recovery codes of one person, and letters of each: 49 bits that nobody guesses. */
const recovery = { count: 10, length: 10 }

/** Recovery codes as they are shown, once. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: recovery.count }, () => {
    let text = ''
    while (text.length < recovery.length)
      for (const byte of random.bytes(recovery.length))
        if (byte < letters.length * 8 && text.length < recovery.length) text += letters[byte % letters.length]
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}

/** What is stored of a recovery code, however it is spelled. */
export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex')
}
