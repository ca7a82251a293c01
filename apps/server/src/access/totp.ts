import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Random } from '../kernel/ports.ts'

/** Seconds per code. */
const period = 30
/** Accepted steps before and after the present one, for slow typing and clock skew. */
const window = 1
const hintWindow = 20

/** `step`: of the code; `seconds`: how far the phone's clock is ahead. */
export type Judgement =
  | { kind: 'good'; step: number }
  | { kind: 'used' }
  | { kind: 'clock'; seconds: number }
  | { kind: 'wrong' }

export const newKey = (random: Random): string => secretOf(random.bytes(20)).base32

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer })

const generator = (key: string) => new TOTP({ secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period })

/** The URI in the QR code; short, so that the code fits an 80x24 terminal. */
export function keyUri(key: string, { issuer, label }: { issuer: string; label: string }): string {
  const plain = (text: string) => encodeURIComponent(text.replaceAll(':', ' '))
  return `otpauth://totp/${plain(label)}?secret=${key}&issuer=${plain(issuer)}`
}

/** Judges a code of six digits. `lastStep`: of the last used code; it and earlier ones are used up. `now` in epoch ms. */
export function judgeCode(key: string, code: string, { now, lastStep }: { now: number; lastStep: number }): Judgement {
  const present = Math.floor(now / 1000 / period)
  const find = (within: number) => generator(key).validate({ token: code, timestamp: now, window: within })
  const near = find(window)
  if (near !== null) return present + near > lastStep ? { kind: 'good', step: present + near } : { kind: 'used' }
  const far = find(hintWindow)
  return far === null ? { kind: 'wrong' } : { kind: 'clock', seconds: far * period }
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 49 bits per recovery code. */
const recovery = { count: 10, length: 10 }

export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: recovery.count }, () => {
    let text = ''
    while (text.length < recovery.length)
      for (const byte of random.bytes(recovery.length))
        if (byte < letters.length * 8 && text.length < recovery.length) text += letters[byte % letters.length]
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}

export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex')
}
