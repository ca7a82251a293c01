import * as z from 'zod'
import { defineResource, lazy, namedOptions } from '../define/index.ts'
import { instant } from '../schemas/index.ts'

/** `refused`: a missing permission or a wrong password. */
export const AuditResult = namedOptions('ok', 'refused', 'failed')

/** Why a shell, file session or transfer ended; `none` for other entries. Source: `Ending` of apps/server/src/fleet/streams/stream.ts. */
const SessionEnd = {
  none: '',
  left: 'left',
  ended: 'ended',
  agentGone: 'agent-gone',
  noAgent: 'no-agent',
  revoked: 'revoked',
  limit: 'limit',
  stop: 'stop',
} as const

/** The end of a session: `1, 91 s, left` (server ID, duration, reason). */
const sessionEnd = /^(?<id>\d+), (?<seconds>\d+) s, (?<why>[a-z-]+)$/
function endOf({ action, target }: { action: string; target: string }): Record<string, string> | undefined {
  return action.endsWith(' end') ? sessionEnd.exec(target)?.groups : undefined
}

/** Null if there was no record. Secrets are `***`. */
const change = lazy(() =>
  z.object({ id: z.int(), name: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() }),
)
const changes = lazy(() => z.array(change()).catch([]))

export type AuditChange = z.infer<ReturnType<typeof change>>

const added = lazy(() => ({
  id: z.int(),
  at: instant.nullable(),
  user_id: z.int(),
  /** At that time; for an API token including its name. */
  username: z.string(),
  /** The `qd` command: `server edit`. */
  action: z.string(),
  target: z.string(),
  names: z.string(),
  result: z.enum(AuditResult),
  address: z.string(),
  changes: changes(),
}))

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** `interval: 30 → 60`, after the record’s name if there are several. */
function lineOf({ name, field, before, after }: AuditChange, isOneOf: boolean): string {
  const said = before === null ? shown(after) : after === null ? shown(before) : `${shown(before)} → ${shown(after)}`
  return `${isOneOf ? `${name} ` : ''}${field}: ${said}`
}

export const audit = defineResource({
  name: 'audit',
  icon: 'history',
  title: 'action',
  path: '/dashboard/settings/audit',
  place: 'menu',
  family: 'setting',
  aliases: ['log', 'history of changes', 'who changed'],
  go: 'g l',
  tab: true,
  added,
  fields: {
    id: { kind: 'number' },
    at: { kind: 'instant', show: 'always', aliases: ['time', 'when'] },
    user_id: { kind: 'number', hidden: true },
    username: { kind: 'text', show: 'always', aliases: ['user', 'who'] },
    action: { kind: 'text', show: 'always' },
    target: { kind: 'text' },
    names: { kind: 'text', hidden: true },
    result: { kind: 'choice', options: AuditResult, tones: { ok: 'ok', refused: 'warn', failed: 'bad' }, words: true },
    address: { kind: 'address', aliases: ['ip', 'from'] },
    changes: { kind: 'part', schema: changes },
  },
  derived: {
    record: {
      kind: 'text',
      show: 'always',
      from: (row) => {
        const { names, target } = row
        const ids = endOf(row)?.id ?? target
        return names === '' || ids === '' ? names || ids : `${names} (${ids})`
      },
    },
    lasted: {
      kind: 'duration',
      from: (row) => {
        const seconds = endOf(row)?.seconds
        return seconds === undefined ? null : Number(seconds)
      },
    },
    ended: { kind: 'choice', options: SessionEnd, from: (row) => endOf(row)?.why ?? SessionEnd.none },
    changed: {
      kind: 'note',
      from: ({ changes: all }) => {
        const isOneOf = new Set(all.map(({ id }) => id)).size > 1
        return all.map((one) => lineOf(one, isOneOf)).join('\n')
      },
    },
  },
  columns: ['at', 'action', 'record', 'username', 'result', 'address'],
  sort: { field: 'at', order: 'desc' },
  search: ['username', 'record', 'address', 'changed'],
  facet: 'result',
  scopes: { read: 'nezha:admin:*', write: null, remove: null },
  audience: { read: 'admin' },
  wire: { verbs: ['list', 'get'], paging: 'server' },
  requires: 'audit',
  open: 'detail',
  detail: {
    sections: [
      { kind: 'facts', fields: ['at', 'username', 'address', 'result', 'record', 'lasted', 'ended'] },
      { kind: 'text', field: 'changed' },
    ],
  },
})
