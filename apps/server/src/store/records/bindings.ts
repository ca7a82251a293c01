import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import type { Also } from './commit.ts'
import type { Records, SignInProviderRow } from './rows.ts'

export interface Binding {
  readonly user_id: number
  readonly provider_id: number
  readonly open_id: string
}

export type Bindings = Awaited<ReturnType<typeof createBindings>>

export async function createBindings({
  db,
  clock,
  signInProviders,
}: {
  db: Db
  clock: Clock
  signInProviders: Pick<Records<SignInProviderRow>, 'find'>
}) {
  let all: readonly Binding[] = await db.selectFrom('oauth2_bindings').selectAll().execute()
  const of = (userId: number) => all.filter(({ user_id }) => user_id === userId)
  /** `also` runs in the transaction of the change. */
  return {
    of,
    /** Those whose provider exists and is enabled. */
    waysIn: (userId: number) => of(userId).filter(({ provider_id }) => signInProviders.find(provider_id)?.enabled),
    ownerOf: (providerId: number, openId: string) =>
      all.find(({ provider_id, open_id }) => provider_id === providerId && open_id === openId)?.user_id ?? null,
    /** Errors: the database's if it is already bound. */
    async bind(row: Binding, also?: Also<Binding>): Promise<void> {
      await db.transaction().execute(async (handle) => {
        await handle
          .insertInto('oauth2_bindings')
          .values({ ...row, created_at: clock.now() })
          .execute()
        await also?.(handle, [row])
      })
      all = [...all, row]
    },
    async unbind(userId: number, providerId: number, also?: Also<Binding>): Promise<void> {
      await db.transaction().execute(async (handle) => {
        await handle
          .deleteFrom('oauth2_bindings')
          .where('user_id', '=', userId)
          .where('provider_id', '=', providerId)
          .execute()
        await also?.(handle, [])
      })
      all = all.filter(({ user_id, provider_id }) => user_id !== userId || provider_id !== providerId)
    },
    /** What deletes the user or the providers deletes the stored ones too. */
    userDeleted(userId: number): void {
      all = all.filter(({ user_id }) => user_id !== userId)
    },
    providersDeleted(ids: readonly number[]): void {
      all = all.filter(({ provider_id }) => !ids.includes(provider_id))
    },
  }
}
