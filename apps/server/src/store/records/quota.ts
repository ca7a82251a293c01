import type { Resource } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Accounts, StoredRow } from './rows.ts'
import type { Settings } from './settings.ts'

/** How much of one kind a member may have (S-48). Administrators have no limit. */
export interface Quota {
  of(userId: number): number
  /** Refuses one record more than the owner may have; rows of a kind that its owners can't delete don't count. Errors: `quota`. */
  demandRoom(resource: Resource, ownerId: number, rows: Iterable<StoredRow>): void
}

/** Reads the limit from the settings each time. */
export function createQuota({ accounts, settings }: { accounts: Accounts; settings: Settings }): Quota {
  const of = (userId: number) => (accounts.isAdmin(userId) ? Number.POSITIVE_INFINITY : settings.get().user_records)
  return {
    of,
    demandRoom({ name, wire }, ownerId, rows) {
      const maximum = of(ownerId)
      if (maximum === Number.POSITIVE_INFINITY || !wire.verbs.includes('delete')) return
      let used = 0
      for (const row of rows) if (row.owner_id === ownerId) used += 1
      if (used >= maximum) throw new AppError('quota', { resource: name, used, maximum })
    },
  }
}
