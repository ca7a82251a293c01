import { signInProvider } from '@qd/core/resources'
import { invalid } from '../../store/records/input.ts'
import type { SignInProviderRow } from '../../store/records/rows.ts'
import { defineEntity, type Entity } from './entity.ts'

export const signInProviders: Entity<'sign-in-provider', SignInProviderRow> = defineEntity(signInProvider, {
  table: 'sign_in_providers',
  rules: ({ bindings, settings }, _around, providers) => ({
    async prove(input, before) {
      const isTaken = providers
        .all()
        .some(({ id, name }) => id !== before?.id && name.toLowerCase() === String(input.name).toLowerCase())
      if (input.site_url === '' && settings.get().dashboard_host === '')
        throw invalid([{ field: 'site_url', code: 'required' }], {}, {})
      if (isTaken) throw invalid([{ field: 'name', code: 'wrong' }], {}, {})
    },
    async alsoRemove(db, rows) {
      const ids = rows.map(({ id }) => id)
      await db.deleteFrom('oauth2_bindings').where('provider_id', 'in', ids).execute()
    },
    removed: async (rows) => bindings.providersDeleted(rows.map(({ id }) => id)),
  }),
})
