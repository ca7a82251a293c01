import { zeroInstant } from '@qd/core/define'
import type { Accounts } from './rows.ts'

/** Null becomes the wire's zero time. */
export function toInstant(at: number | null): string {
  return at === null ? zeroInstant : new Date(at).toISOString()
}

export function ownerItem(accounts: Accounts, id: number) {
  const { username, admin } = accounts.ownerOf(id)
  return { id, ...(username === '' ? {} : { username }), admin }
}
