import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import type { Records, SignInProviderRow } from './rows.ts'

export interface Binding {
  readonly user_id: number
  readonly provider_id: number
  /** The account's ID at the provider. */
  readonly open_id: string
}

export interface Bindings {
  of(userId: number): readonly Binding[]
  /** Those whose provider exists and is enabled. */
  waysIn(userId: number): readonly Binding[]
  ownerOf(providerId: number, openId: string): number | null
  /** Errors: the database's if it is already bound. */
  bind(binding: { userId: number; providerId: number; openId: string }): Promise<void>
  unbind(userId: number, providerId: number): Promise<void>
  userDeleted(userId: number): Promise<void>
  providersDeleted(ids: readonly number[]): Promise<void>
}

export async function createBindings({
  db,
  clock,
  signInProviders,
}: {
  db: Db
  clock: Clock
  signInProviders: Pick<Records<SignInProviderRow>, 'find'>
}): Promise<Bindings> {
  let all: readonly Binding[] = await db.selectFrom('oauth2_bindings').selectAll().execute()
  const of = (userId: number) => all.filter(({ user_id }) => user_id === userId)
  return {
    of,
    waysIn: (userId) => of(userId).filter(({ provider_id }) => signInProviders.find(provider_id)?.enabled),
    ownerOf: (providerId, openId) =>
      all.find(({ provider_id, open_id }) => provider_id === providerId && open_id === openId)?.user_id ?? null,
    async bind({ userId, providerId, openId }) {
      const row = { user_id: userId, provider_id: providerId, open_id: openId }
      await db
        .insertInto('oauth2_bindings')
        .values({ ...row, created_at: clock.now() })
        .execute()
      all = [...all, row]
    },
    async unbind(userId, providerId) {
      await db
        .deleteFrom('oauth2_bindings')
        .where('user_id', '=', userId)
        .where('provider_id', '=', providerId)
        .execute()
      all = all.filter(({ user_id, provider_id }) => user_id !== userId || provider_id !== providerId)
    },
    async userDeleted(userId) {
      await db.deleteFrom('oauth2_bindings').where('user_id', '=', userId).execute()
      all = all.filter(({ user_id }) => user_id !== userId)
    },
    async providersDeleted(ids) {
      if (ids.length === 0) return
      await db
        .deleteFrom('oauth2_bindings')
        .where('provider_id', 'in', [...ids])
        .execute()
      all = all.filter(({ provider_id }) => !ids.includes(provider_id))
    },
  }
}
