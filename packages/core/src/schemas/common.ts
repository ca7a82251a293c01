import * as z from 'zod'
import { maxItems } from '../define/index.ts'

/** Most characters of a command that hosts run. What is piped into it goes along in it. */
export const longestCommand = 65_536
/** Most characters of a note. */
export const longestNote = 16_384
/** Most characters of the code that an administrator adds to pages. */
export const longestCode = 262_144
/** Most characters of a template of a request's body. */
export const longestBody = 65_536
/** A reference to a stored record; 0 means none. */
export const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** References without duplicates, in the order given. */
export const ids = z
  .array(z.int().min(1).max(Number.MAX_SAFE_INTEGER))
  .max(maxItems)
  .transform((list) => [...new Set(list)])
/** Typed RFC 3339 text, or another that the clock of a browser reads. */
export const moment = z
  .string()
  .max(64)
  .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), { params: { code: 'notDate' } })
/** RFC 3339 text. */
export const instant = z.string()

/** What the server adds to every stored record. */
export const common = { id: z.int(), created_at: instant.nullable(), updated_at: instant.nullable() }

/** Field kinds of `common`; every resource that stores records spreads them. */
export const commonKinds = {
  id: { kind: 'number' },
  created_at: { kind: 'instant' },
  updated_at: { kind: 'instant' },
} as const

/** The owner of a record. Our server sends it with every record. From other servers it is null (unknown) or, for servers, lacks `admin`. Id 0: no owner. */
export const owner = z
  .object({ id: z.int(), username: z.string().catch(''), admin: z.boolean().nullable().catch(null) })
  .nullable()
  .catch(null)
export type Owner = z.output<typeof owner>

/** Field kind of `owner`. */
export const ownerKind = { kind: 'part', schema: () => owner } as const

/**
 * Bounds of a new password: at least 8 characters, at most 72 UTF-8 bytes (bcrypt's limit on existing servers).
 * Source: decisions.md, "Password"; NIST SP 800-63B counts each Unicode code point as one character.
 */
export const passwordBounds = { characters: 8, bytes: 72 } as const

/** Why a text cannot become a password: a problem code with its parameters; null if it can. */
export function passwordFault(
  text: string,
): { code: 'tooShort'; minimum: number } | { code: 'tooManyBytes'; maximum: number } | { code: 'wrong' } | null {
  if ([...text].length < passwordBounds.characters) return { code: 'tooShort', minimum: passwordBounds.characters }
  if (byteLength(text) > passwordBounds.bytes) return { code: 'tooManyBytes', maximum: passwordBounds.bytes }
  // C programs, bcrypt among them, end a text at its first NUL.
  return text.includes('\0') ? { code: 'wrong' } : null
}

/** Bounds of a user name in characters. */
export const usernameLength = { min: 1, max: 32 } as const

/** Length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
