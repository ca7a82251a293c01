import type { Resource } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Accounts, StoredRow } from './rows.ts'
import type { Settings } from './settings.ts'

export type Quota = ReturnType<typeof createQuota>

export function createQuota({ accounts, settings }: { accounts: Accounts; settings: Settings }) {
  const of = (userId: number) => (accounts.isAdmin(userId) ? Number.POSITIVE_INFINITY : settings.get().user_records)
  return {
    of,
    /** Errors: `quota` if the owner has the maximum. Kinds that owners can't delete don't count. */
    demandRoom({ name, wire }: Resource, ownerId: number, rows: Iterable<Pick<StoredRow, 'owner_id'>>): void {
      const maximum = of(ownerId)
      if (maximum === Number.POSITIVE_INFINITY || !wire.verbs.includes('delete')) return
      let used = 0
      for (const row of rows) if (row.owner_id === ownerId) used += 1
      if (used >= maximum) throw new AppError('quota', { resource: name, used, maximum })
    },
  }
}
