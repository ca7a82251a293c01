import * as z from 'zod'
import {
  type AnyRow,
  type HostSource,
  lazy,
  type Outcome,
  type Resource,
  type ResourceName,
  type TargetSelection,
  type Values,
  type View,
} from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { numberOf, sentAs } from '../schemas/index.ts'

/** The number of a record that a host knows by its name. */
export function hostRowId(server: number, name: string): number {
  return numberOf(server, name)
}

/** What tells a record from all others of its host, and what actions call it: its field `ref`, else its name. */
export const hostNameOf = ({ ref, name }: Readonly<Record<string, unknown>>): string => String(ref ?? name ?? '')

/** What a call may name a record of a host by. */
export const hostRowName = lazy(() =>
  z
    .string()
    .min(1)
    .max(256)
    .regex(/^\P{Cc}+$/u),
)

/** What every record of a host has. */
export const hostAdded = lazy(() => ({ id: z.int(), server_id: z.int(), name: z.string() }))

/** Field kinds of `hostAdded`. */
export const hostKinds = {
  id: { kind: 'number', hidden: true },
  server_id: { kind: 'ref', show: 'always', to: 'server', aliases: ['server'] },
  name: { kind: 'text', show: 'always' },
} as const

/** What every resource of hosts says alike; `kind` is its name. */
export const hostDefaults = (kind: string) =>
  ({
    // One name on several hosts is one thing to a person, such as nginx on all web servers.
    together: true,
    requires: 'hosts',
    scopes: { read: 'nezha:server:read', write: 'nezha:server:exec', remove: 'nezha:server:exec' },
    wire: {
      verbs: ['list'],
      path: `host/${kind}`,
      decode(item: unknown) {
        const row = item as { server_id?: number }
        return { ...row, id: hostRowId(row.server_id ?? 0, hostNameOf(row)) }
      },
    },
  }) as const

/** Most records that one action takes. */
export const maxHostTargets = 1000

interface HostRow extends AnyRow {
  readonly server_id: number
  readonly name: string
}

const count = z.int().min(0).max(100_000)

/** What an action says alike that goes to one server first, then to the others in batches. */
export const hostRollout = {
  allAtOnce: (_rows: readonly AnyRow[], { canary, batch }: Values) => canary === 0 && batch === 0,
  args: {
    input: () => z.strictObject({ canary: count, batch: count, max_failures: count }),
    fields: {
      canary: { kind: 'number', digits: 0, help: true, flag: true },
      batch: { kind: 'number', digits: 0, help: true, flag: true },
      max_failures: { kind: 'number', digits: 0, help: true, flag: true, aliases: ['max-fail'] },
    },
    form: { rollout: ['canary', 'batch', 'max_failures'] },
  },
} as const

/** What every action on records of hosts says alike: it targets their servers, and its outcome is a run. */
export const hostAction = (kind: string, action: string) =>
  ({
    on: 'many',
    scope: 'nezha:server:exec',
    confirm: 'targets',
    starts: 'run',
    stepUp: true,
    targets: (rows: readonly AnyRow[]): TargetSelection => ({
      mode: 'only',
      servers: [...new Set((rows as readonly HostRow[]).map(({ server_id }) => server_id))],
    }),
    wire: {
      method: 'POST',
      path: `host/${kind}/${action}`,
      body: (rows: readonly AnyRow[], args: Values) => ({
        targets: (rows as readonly HostRow[]).map((row) => ({ server_id: row.server_id, name: hostNameOf(row) })),
        ...args,
      }),
    },
    outcome: (answer: unknown, rows: readonly AnyRow[]): Outcome => sentAs(answer, rows),
  }) as const

function shellPlace(kind: ResourceName, rows: readonly AnyRow[]) {
  const row = firstItem(rows) as HostRow
  return { server_id: row.server_id, inside: { kind, name: hostNameOf(row) } }
}

/** What the action says alike that opens a shell in a record, in a terminal of its server. */
export const hostShell = (kind: ResourceName) =>
  ({
    on: 'one',
    scope: 'nezha:server:exec',
    icon: 'terminal',
    key: 't',
    stepUp: true,
    opens: 'terminal',
    wire: {
      method: 'POST',
      path: 'terminal',
      body: (rows: readonly AnyRow[]) => shellPlace(kind, rows),
    },
    async run(_context: unknown, rows: readonly AnyRow[]): Promise<Outcome> {
      const { server_id, inside } = shellPlace(kind, rows)
      return { kind: 'open', screen: 'terminal', id: server_id, inside }
    },
  }) as const

/**
 * The records of hosts that a word means: `web-1/nginx` on one server, `nginx` on all; by the whole name, its short form or what tells it from
 * others, in any case. Empty for records of the database. Pure.
 */
export function namedOnHosts(
  { host }: Resource,
  rows: readonly AnyRow[],
  word: string,
  view: Pick<View, 'title'>,
): readonly AnyRow[] {
  if (!host) return []
  const folded = word.toLowerCase()
  const exact = rows.filter((row) => isCalled(host, row, folded))
  const slash = folded.indexOf('/')
  if (exact.length > 0 || slash < 0) return exact
  const on = folded.slice(0, slash)
  const called = folded.slice(slash + 1)
  return rows.filter((row) => {
    if (!isCalled(host, row, called)) return false
    return String(row.server_id) === on || view.title('server', Number(row.server_id))?.toLowerCase() === on
  })
}

function isCalled({ short }: HostSource, row: AnyRow, word: string): boolean {
  const name = String(row.name)
  return [name, short?.(name), hostNameOf(row)].some((one) => one?.toLowerCase() === word)
}

/** What tells a record from others with its title: its ID, or the server that it is on. */
export function recordMark({ host }: Pick<Resource, 'host'>, row: AnyRow, view: Pick<View, 'title'>): string {
  return (host && view.title('server', Number(row.server_id))) ?? `#${row.id}`
}
