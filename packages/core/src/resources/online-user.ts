import * as z from 'zod'
import { defineAction, defineResource, lazy } from '../define/index.ts'
import { instant, numberOf } from '../schemas/index.ts'
import { deviceOf } from './session.ts'

const added = lazy(() => ({
  /** From our server; else derived. */
  id: z.int(),
  ip: z.string(),
  user_id: z.int(),
  connected_at: instant.nullable(),
  /** Only from our server; empty for visitors, and for others if a member asks. */
  username: z.string(),
  /** The `User-Agent`; only from our server. */
  client: z.string(),
  /** From the viewer’s address; only from our server. */
  is_self: z.boolean(),
}))

interface Online {
  id: number
  ip: string
  is_self: boolean
}

const block = defineAction<Online>()({
  on: 'many',
  scope: 'nezha:admin:*',
  icon: 'ban',
  key: 'b',
  tone: 'bad',
  confirm: 'block',
  aliases: ['ban', 'kick', 'lock out'],
  blocked: [{ when: { is_self: { is: true } }, reason: 'self' }],
  wire: { method: 'POST', path: 'online-user/batch-block', body: (rows) => [...new Set(rows.map(({ ip }) => ip))] },
  outcome: (_answer, rows) => ({ kind: 'done', removed: rows.map(({ id }) => id) }),
})

/** Derives IDs; two tabs of a user are two entries. */
function decode(item: unknown): unknown {
  const { ip = '', user_id = 0, connected_at = '' } = item as { ip?: string; user_id?: number; connected_at?: string }
  return { id: numberOf(ip, user_id, connected_at), ...(item as object) }
}

export const onlineUser = defineResource({
  name: 'online-user',
  icon: 'activity',
  title: 'ip',
  path: '/dashboard/settings/online-user',
  place: 'menu',
  family: 'setting',
  aliases: ['connected', 'visitors', 'who is here'],
  go: 'g o',
  tab: true,
  together: true,
  pages: true,
  added,
  fields: {
    id: { kind: 'number' },
    ip: { kind: 'address', show: 'always', aliases: ['address'] },
    user_id: { kind: 'ref', to: 'user', hidden: true },
    connected_at: { kind: 'instant', show: 'always', aliases: ['since'], short: true },
    username: {
      kind: 'text',
      show: 'always',
      aliases: ['user'],
      absentWhen: { user_id: { is: 0 } },
      withheldWhen: { username: { is: '' } },
      short: true,
    },
    client: { kind: 'text' },
    is_self: { kind: 'flag', show: 'detail', aliases: ['self', 'me'] },
  },
  derived: { device: { kind: 'text', from: ({ client }) => deviceOf(client), short: true } },
  columns: ['ip', 'username', 'device', 'connected_at', 'is_self'],
  sort: { field: 'connected_at', order: 'asc' },
  search: ['username', 'client'],
  scopes: { read: 'nezha:admin:*', write: 'nezha:admin:*', remove: 'nezha:admin:*' },
  audience: { read: 'user', write: 'admin' },
  wire: { verbs: ['list'], paging: 'server', decode },
  actions: { block },
})
