import * as z from 'zod'
import { defineAction, defineResource, lazy, namedOptions } from '../define/index.ts'
import { addressRange, instant, numberOf } from '../schemas/index.ts'

export const BlockReason = { login: 1, token: 2, 'agent-secret': 3, manual: 4, oauth2: 5 } as const
export const BlockState = namedOptions('blocked', 'over')

/** Longest block in seconds; 0 is forever. */
const longestBlock = 3660 * 86_400

const added = lazy(() => ({
  /** Derived from address and identifier. */
  id: z.int(),
  ip: z.string(),
  block_reason: z.enum(BlockReason),
  /** The attacked account’s ID; negative for agents, tokens, unknown names and manual blocks. */
  block_identifier: z.int(),
  block_timestamp: z.int(),
  count: z.int(),
  note: z.string(),
  /** Null: never unblocked. */
  blocked_until: instant.nullable(),
}))

/** From this many failures on, the time overflows 64 bits and means "forever" (contract engines 8.3). */
const forEver = 55_109

export const wafId = (ip: string, identifier: number): number => numberOf(ip, identifier)

/** Other servers seem to count each entry by itself. */
function decode(item: unknown): unknown {
  const { ip = '', block_identifier = 0, block_timestamp = 0, count = 0 } = item as Partial<Entry>
  const seconds = block_timestamp + Math.max(3, count ** 4)
  const blocked_until = count >= forEver ? null : new Date(seconds * 1000).toISOString()
  return { id: wafId(ip, block_identifier), blocked_until, ...(item as object) }
}

interface Entry {
  id: number
  ip: string
  block_identifier: number
  block_timestamp: number
  count: number
}

const block = defineAction<Entry>()({
  on: 'none',
  scope: 'nezha:admin:*',
  icon: 'ban',
  key: 'b',
  tone: 'bad',
  confirm: 'block',
  aliases: ['ban', 'deny', 'lock out'],
  capability: 'firewall',
  refusals: ['self', 'everybody', 'machine', 'proxy', 'allowed'],
  args: {
    input: () =>
      z.strictObject({
        address: addressRange(),
        duration: z.int().min(0).max(longestBlock),
        note: z.string().trim().max(200),
      }),
    fields: {
      address: { kind: 'address', help: true, flag: true },
      duration: {
        kind: 'duration',
        presets: [3600, 86_400, 7 * 86_400, 30 * 86_400],
        help: true,
        flag: true,
        aliases: ['for'],
      },
      note: { kind: 'text', wide: true },
    },
    form: { whom: ['address', 'duration', 'note'] },
    word: 'address',
  },
  wire: { method: 'POST', path: 'waf/block', body: (_rows, args) => args },
})

const unblock = defineAction<Entry>()({
  on: 'many',
  scope: 'nezha:admin:*',
  icon: 'check',
  key: { web: 'Delete', tui: 'D' },
  confirm: 'ask',
  aliases: ['unban', 'allow', 'let in', 'delete'],
  wire: { method: 'POST', path: 'batch-delete/waf', body: (rows) => [...new Set(rows.map(({ ip }) => ip))] },
  outcome: (_answer, rows) => ({ kind: 'done', removed: rows.map(({ id }) => id) }),
})

export const waf = defineResource({
  name: 'waf',
  icon: 'shield',
  title: 'ip',
  path: '/dashboard/settings/waf',
  place: 'menu',
  family: 'setting',
  aliases: ['firewall', 'blocked addresses', 'bans', 'brute force'],
  go: 'g w',
  tab: true,
  together: true,
  pages: true,
  added,
  fields: {
    id: { kind: 'number' },
    ip: { kind: 'address', show: 'always', aliases: ['address'] },
    block_reason: { kind: 'choice', show: 'always', options: BlockReason, words: true, aliases: ['reason'] },
    block_identifier: { kind: 'number', show: 'detail', digits: 0 },
    block_timestamp: { kind: 'number', digits: 0, hidden: true },
    count: { kind: 'number', digits: 0, absentWhen: { block_reason: { is: BlockReason.manual } } },
    note: { kind: 'text', show: 'wide' },
    blocked_until: { kind: 'instant', aliases: ['until'], absentWhen: { blocked_until: { is: null } }, short: true },
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: BlockState,
      tones: { blocked: 'bad', over: 'muted' },
      words: true,
      from: ({ blocked_until }, { now }) =>
        blocked_until === null || Date.parse(blocked_until) > now ? BlockState.blocked : BlockState.over,
    },
    since: {
      kind: 'instant',
      short: true,
      from: ({ block_timestamp }) => (block_timestamp > 0 ? new Date(block_timestamp * 1000).toISOString() : null),
    },
    user: { kind: 'ref', to: 'user', from: ({ block_identifier }) => Math.max(0, block_identifier), short: true },
  },
  columns: ['ip', 'state', 'block_reason', 'count', 'user', 'since', 'blocked_until', 'note', 'block_identifier'],
  sort: { field: 'since', order: 'desc' },
  search: ['note', 'user'],
  facet: 'state',
  scopes: { read: 'nezha:admin:*', write: 'nezha:admin:*', remove: 'nezha:admin:*' },
  audience: { read: 'user', write: 'admin' },
  wire: { verbs: ['list'], paging: 'server', decode },
  actions: { block, unblock },
})
