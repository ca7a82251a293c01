import * as z from 'zod'
import { maxItems } from '../define/index.ts'

/** Maximum length of a command, including its piped input. */
export const longestCommand = 65_536
export const longestNote = 16_384
/** Maximum length of the code that an administrator adds to pages. */
export const longestCode = 262_144
/** Maximum length of a request body’s template. */
export const longestBody = 65_536
/** A reference to a record; 0 means none. */
export const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** References without duplicates, in the given order. */
export const ids = z
  .array(z.int().min(1).max(Number.MAX_SAFE_INTEGER))
  .max(maxItems)
  .transform((list) => [...new Set(list)])
/** RFC 3339, or another text that browsers can parse. */
export const moment = z
  .string()
  .max(64)
  .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), { params: { code: 'notDate' } })
/** RFC 3339. */
export const instant = z.string()

export const common = { id: z.int(), created_at: instant.nullable(), updated_at: instant.nullable() }

export const commonKinds = {
  id: { kind: 'number' },
  created_at: { kind: 'instant' },
  updated_at: { kind: 'instant' },
} as const

/** Our server sends the owner of every record. From others it is null (unknown), or lacks `admin`. ID 0: no owner. */
export const owner = z
  .object({ id: z.int(), username: z.string().catch(''), admin: z.boolean().nullable().catch(null) })
  .nullable()
  .catch(null)
export type Owner = z.output<typeof owner>

export const ownerKind = { kind: 'part', schema: () => owner } as const

/** At least 8 characters (Unicode code points, as in NIST SP 800-63B), at most 72 UTF-8 bytes (bcrypt’s limit on Nezha). Source: decisions.md, "Password". */
export const passwordBounds = { characters: 8, bytes: 72 } as const

/** Why a text can’t be a password; null if it can. */
export function passwordFault(
  text: string,
): { code: 'tooShort'; minimum: number } | { code: 'tooManyBytes'; maximum: number } | { code: 'wrong' } | null {
  if ([...text].length < passwordBounds.characters) return { code: 'tooShort', minimum: passwordBounds.characters }
  if (byteLength(text) > passwordBounds.bytes) return { code: 'tooManyBytes', maximum: passwordBounds.bytes }
  // C programs, including bcrypt, end a text at the first NUL.
  return text.includes('\0') ? { code: 'wrong' } : null
}

export const usernameLength = { min: 1, max: 32 } as const

/** In UTF-8 bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
