import * as z from 'zod'
import { defineAction, defineResource, lazy } from '../define/index.ts'
import { common, commonKinds, id, instant, owner, ownerKind } from '../schemas/index.ts'

/** Source: contract engines 11.6. */
export const TransferStatus = { pending: 0, verified: 1, failed: 2, timeout: 3, cancelled: 4 } as const
type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus]

const added = lazy(() => ({
  ...common,
  server_id: id,
  from_user_id: id,
  to_user_id: id,
  initiator_id: id,
  /** Only from our server; empty if deleted or unowned. */
  server_name: z.string(),
  from_username: z.string(),
  to_username: z.string(),
  status: z.enum(TransferStatus),
  last_error: z.string(),
  acked_at: instant.nullable(),
  owner,
}))

interface Transfer {
  id: number
  status: TransferStatus
}

const cancel = defineAction<Transfer>()({
  on: 'many',
  scope: 'nezha:transfer:write',
  icon: 'undo-2',
  tone: 'warn',
  confirm: 'ask',
  aliases: ['abort', 'give back'],
  blocked: [{ when: { status: { not: TransferStatus.pending } }, reason: 'finished' }],
  wire: { method: 'POST', path: 'transfer/{id}/cancel' },
})

const retry = defineAction<Transfer>()({
  on: 'one',
  scope: 'nezha:transfer:write',
  audience: 'admin',
  icon: 'refresh-cw',
  key: 'r',
  confirm: 'ask',
  aliases: ['again', 'repeat'],
  blocked: [{ when: { status: { is: TransferStatus.pending } }, reason: 'pending' }],
  wire: { method: 'POST', path: 'transfer/{id}/retry' },
})

const nameOf = (username: string, of: number) => username || (of === 0 ? '' : `#${of}`)

export const transfer = defineResource({
  name: 'transfer',
  icon: 'arrow-right-left',
  title: 'server_name',
  place: 'menu',
  go: 'g m',
  added,
  fields: {
    ...commonKinds,
    server_id: { kind: 'ref', to: 'server', aliases: ['server'] },
    from_user_id: { kind: 'ref', to: 'user', hidden: true },
    to_user_id: { kind: 'ref', to: 'user', hidden: true },
    initiator_id: { kind: 'ref', to: 'user', hidden: true },
    server_name: { kind: 'text', show: 'always' },
    from_username: { kind: 'text', hidden: true },
    to_username: { kind: 'text', hidden: true },
    status: {
      kind: 'choice',
      show: 'always',
      options: TransferStatus,
      tones: { pending: 'accent', verified: 'ok', failed: 'bad', timeout: 'bad', cancelled: 'muted' },
      words: true,
      queryWords: { cancelled: 'canceled' },
    },
    last_error: { kind: 'text', show: 'wide' },
    acked_at: { kind: 'instant', show: 'detail' },
    owner: ownerKind,
  },
  derived: {
    from: { kind: 'text', from: ({ from_username, from_user_id }) => nameOf(from_username, from_user_id), short: true },
    to: { kind: 'text', from: ({ to_username, to_user_id }) => nameOf(to_username, to_user_id) },
    by: {
      kind: 'text',
      show: 'wide',
      from: ({ owner: by, initiator_id }) => nameOf(by?.username ?? '', initiator_id),
      short: true,
    },
  },
  columns: ['server_name', 'status', 'from', 'to', 'created_at', 'by', 'last_error', 'acked_at'],
  sort: { field: 'created_at', order: 'desc' },
  search: ['from', 'to', 'last_error'],
  facet: 'status',
  requires: 'transfers',
  scopes: { read: 'nezha:transfer:read', write: 'nezha:transfer:write', remove: null },
  wire: { verbs: ['list'] },
  actions: { cancel, retry },
})
