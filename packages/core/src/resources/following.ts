import * as z from 'zod'
import { lazy, type Resource, type TargetSelection, type Values, type View } from '../define/index.ts'
import {
  isEmptySelection,
  type ParsedSelection,
  parseSelection,
  quote,
  selectedFields,
  selectRows,
  termsOf,
  tokens,
} from '../targets/index.ts'
import { server } from './server.ts'

export const followCapability = 'follow-targets'

const longest = 1000

/** The inputs of a record whose servers may be chosen by a selection and follow it (behaviours N-03, D4). */
export const selectionInput = lazy(() => ({
  server_query: z
    .string()
    .max(longest)
    .superRefine((text, context) => {
      const parsed = readSelection(text)
      if (!parsed.ok) {
        const { at, to } = parsed.problem
        context.addIssue({ code: 'custom', params: { code: 'selection', part: text.slice(at, to) || text } })
      }
    })
    .default(''),
  follows: z.boolean().default(false),
}))
export const selectionInitial = { server_query: '', follows: false } as const

export const selectionKinds = {
  server_query: { kind: 'text', show: 'detail', wide: true, help: true, flag: true, requires: followCapability },
  follows: { kind: 'flag', help: true, flag: true, aliases: ['follow'], requires: followCapability },
} as const

export const selectionFields = ['server_query', 'follows'] as const
export const byHand = { follows: { is: false } } as const

interface Followed {
  server_query: string
  follows: boolean
}

/** A followed query must be valid and only use stable facts. For `superRefine`. */
export function checkSelection({ server_query: text, follows }: Followed, context: z.RefinementCtx): void {
  if (!follows) return
  const refuse = (params: Record<string, unknown>) =>
    context.addIssue({ code: 'custom', path: ['server_query'], params })
  const { ok, selection } = readSelection(text)
  if (!ok) return
  if (isEmptySelection(selection)) {
    refuse({ code: 'required' })
    return
  }
  const term = selectedFields(selection).find(isMoving)
  if (term !== undefined) refuse({ code: 'selectionMoves', term })
}

/** The servers that match, in the list’s order; null for an invalid query. */
export function selectedServers(text: string, view: View): readonly number[] | null {
  const { ok, selection } = readSelection(text)
  if (!ok || isEmptySelection(selection)) return null
  return selectRows(selection, server, view.all('server'), view).map(({ id }) => id)
}

/** The input with the servers that the query matches now; empty without a query. */
export function selectedTargets(resource: Pick<Resource, 'withTargets' | 'input'>, values: Values, view: View): Values {
  if (!resource.withTargets || !hasSelection(resource)) return {}
  const servers = selectedServers(String(values.server_query ?? ''), view)
  return servers ? resource.withTargets(values, servers) : {}
}

export const hasSelection = ({ input }: Pick<Resource, 'input'>): boolean => 'server_query' in input.shape

/** Servers that joined or left the query by which an unfollowed list was chosen. */
export function driftOf(
  row: Followed,
  { mode, servers }: TargetSelection,
  view: View,
): { joined: readonly number[]; left: readonly number[] } {
  const chosen = row.follows || mode !== 'only' ? null : selectedServers(row.server_query, view)
  if (chosen === null) return { joined: [], left: [] }
  const known = new Set(view.all('server').map(({ id }) => id))
  return {
    joined: chosen.filter((id) => !servers.includes(id)),
    left: servers.filter((id) => known.has(id) && !chosen.includes(id)),
  }
}

export const driftField = <Row>(targetsOf: (row: Row) => TargetSelection) =>
  ({
    kind: 'refs',
    show: 'detail',
    to: 'server',
    requires: followCapability,
    from(row: Row & Followed, view: View) {
      const { joined, left } = driftOf(row, targetsOf(row), view)
      return [...joined, ...left]
    },
  }) as const

/** Renames a group in a query. */
export function renamedGroup(text: string, { from, to }: { from: string; to: string }): string {
  let key = ''
  let done = 0
  let renamed = ''
  for (const token of tokens(text)) {
    if (token.kind === 'key') key = token.text
    if (token.kind !== 'value' || token.text.toLowerCase() !== from.toLowerCase()) continue
    const field = termsOf(server).find(key)?.definition
    if (field?.kind !== 'refs' || field.to !== 'server-group') continue
    renamed += text.slice(done, token.from) + quote(to)
    done = token.to
  }
  return renamed + text.slice(done)
}

function isMoving(name: string): boolean {
  const field = server.fields[name]
  return field?.live === true || field?.kind === 'instant'
}

/** Caches queries, which many records share. */
const known = new Map<string, ParsedSelection>()
const maxKnown = 200

function readSelection(text: string): ParsedSelection {
  const before = known.get(text)
  if (before) return before
  const parsed = parseSelection(server, text)
  if (known.size >= maxKnown) known.clear()
  known.set(text, parsed)
  return parsed
}
