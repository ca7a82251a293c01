import { createHash } from 'node:crypto'
import type { InputOf } from '@qd/core/define'
import type { Problem } from '@qd/core/errors'
import { adminScopes, apiToken, tokenScopes } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import { type MutableApiTokens, tokenPrefix } from '../../store/records/api-tokens.ts'
import { invalid } from '../../store/records/input.ts'
import type { ApiTokenRow } from '../../store/records/rows.ts'
import { randomText } from '../../store/records/secrets.ts'
import { toInstant } from '../../store/records/wire.ts'
import { defineEntity, type Entity, newestFirst } from './entity.ts'

const randomLength = 32
const dayMs = 24 * 3_600_000

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const problemTexts = {
  'name.required': () => 'name required',
  'name.tooManyBytes': () => 'name too long (max 128 chars)',
  'scopes.required': () => 'at least one scope required',
  'scopes.tooManyItems': () => 'too many scopes (max 32)',
  'scopes.notOption': ({ scopes }: Readonly<Record<string, unknown>>) =>
    `unknown scope: ${(scopes as string[]).find((scope) => !tokenScopes.includes(scope.trim()))}`,
  'scopes.wrong': ({ scopes }: Readonly<Record<string, unknown>>) =>
    `only admin can issue scope: ${(scopes as string[]).find((scope) => adminScopes.includes(scope))}`,
  'server_ids.unknownReference': () => texts.server,
  'server_ids.tooSmall': () => 'server_id 0 is invalid',
  'server_ids.tooManyItems': () => 'too many server_ids (max 1000)',
  'expires_in_days.tooSmall': () => 'expires_in_days must be >= 0',
  'expires_in_days.tooBig': () => 'expires_in_days too large (max 3650, i.e. 10 years)',
}

/** How often uses from one address are stored: each write waits for the disk. */
const usedEveryMs = 60_000

/** Only hashes of tokens are stored. */
export const apiTokens: Entity<'api-token', ApiTokenRow, MutableApiTokens> = defineEntity<
  'api-token',
  ApiTokenRow,
  MutableApiTokens
>(apiToken, {
  table: 'api_tokens',
  compare: newestFirst,
  limits: ['server_ids'],
  extend: (records, { clock }) => ({
    ...records,
    byText(text) {
      const hash = hashOf(text)
      return records.all().find((row) => row.token_hash === hash)
    },
    async used(id, from) {
      const now = clock.now()
      const known = records.find(id)
      const isFresh = known?.last_used_ip === from && Math.abs(now - (known.last_used_at ?? 0)) < usedEveryMs
      if (!isFresh) await records.patch(id, { last_used_at: now, last_used_ip: from })
    },
  }),
  rules: ({ random, sockets }, { accounts, clock }) => ({
    // Administrators too list only their own (contract http-api 2.8).
    project: (viewer, row) => (row.owner_id === viewer.id ? row : null),
    omit: ['server_ids', 'expires_at', 'last_used_at', 'last_used_ip'],
    texts: problemTexts,
    check(input: InputOf<typeof apiToken>, owner) {
      const problems: readonly Problem[] = [{ field: 'scopes', code: 'wrong' }]
      const isTooMuch = input.scopes.some((scope) => adminScopes.includes(scope)) && !accounts.isAdmin(owner)
      if (isTooMuch) throw invalid(problems, problemTexts, input)
    },
    make({ name, scopes, server_ids, expires_in_days }: InputOf<typeof apiToken>) {
      const token = `${tokenPrefix}${randomText(random, randomLength)}`
      const expires_at = expires_in_days ? clock.now() + expires_in_days * dayMs : null
      return {
        values: {
          name,
          scopes,
          server_ids,
          expires_at,
          token_hash: hashOf(token),
          last_used_at: null,
          last_used_ip: '',
        },
        answer: ({ id }) => ({
          id,
          name,
          token,
          scopes,
          ...(server_ids.length > 0 && { server_ids }),
          ...(expires_at !== null && { expires_at: toInstant(expires_at) }),
        }),
      }
    },
    async removed(rows) {
      for (const { id } of rows) sockets.endToken(id, 'token revoked')
    },
  }),
})
