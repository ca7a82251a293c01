import * as z from 'zod'
import {
  type AnyRow,
  type HostSource,
  lazy,
  type Outcome,
  type Resource,
  type TargetSelection,
  type Values,
  type View,
} from '../define/index.ts'
import { numberOf, sentAs } from '../schemas/index.ts'

/** The number of a record that a host knows by its name. */
export function hostRowId(server: number, name: string): number {
  return numberOf(server, name)
}

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
        const { server_id = 0, name = '' } = item as { server_id?: number; name?: string }
        return { ...(item as object), id: hostRowId(server_id, name) }
      },
    },
  }) as const

/** Most records that one action takes. */
export const maxHostTargets = 1000

interface HostRow extends AnyRow {
  readonly server_id: number
  readonly name: string
}

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
        targets: (rows as readonly HostRow[]).map(({ server_id, name }) => ({ server_id, name })),
        ...args,
      }),
    },
    outcome: (answer: unknown, rows: readonly AnyRow[]): Outcome => sentAs(answer, rows),
  }) as const

/**
 * The records of hosts that a word means: `web-1/nginx` on one server, `nginx` on all; by the whole name or its short form, in any
 * case. Empty for records of the database. Pure.
 */
export function namedOnHosts(
  { host }: Resource,
  rows: readonly AnyRow[],
  word: string,
  view: Pick<View, 'title'>,
): readonly AnyRow[] {
  if (!host) return []
  const folded = word.toLowerCase()
  const exact = rows.filter(({ name }) => isCalled(host, String(name), folded))
  const slash = folded.indexOf('/')
  if (exact.length > 0 || slash < 0) return exact
  const on = folded.slice(0, slash)
  const called = folded.slice(slash + 1)
  return rows.filter(({ name, server_id }) => {
    if (!isCalled(host, String(name), called)) return false
    return String(server_id) === on || view.title('server', Number(server_id))?.toLowerCase() === on
  })
}

function isCalled({ short }: HostSource, name: string, word: string): boolean {
  return name.toLowerCase() === word || short?.(name).toLowerCase() === word
}

/** What tells a record from others with its title: its ID, or the server that it is on. */
export function recordMark({ host }: Pick<Resource, 'host'>, row: AnyRow, view: Pick<View, 'title'>): string {
  return (host && view.title('server', Number(row.server_id))) ?? `#${row.id}`
}
