import { zeroInstant } from '@qd/core/define'
import type { Accounts } from './rows.ts'

/** RFC 3339 of epoch ms; the wire's zero time for null. */
export function toInstant(at: number | null): string {
  return at === null ? zeroInstant : new Date(at).toISOString()
}

/** Whose record it is, as every record carries it. */
export function ownerItem(accounts: Accounts, id: number) {
  const { username, admin } = accounts.ownerOf(id)
  return { id, ...(username === '' ? {} : { username }), admin }
}
