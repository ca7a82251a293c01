import * as z from 'zod'
import {
  type AnyRow,
  type ApiPort,
  type BadRow,
  hostStates,
  lazy,
  type Resource,
  readRowsInPieces,
} from '../define/index.ts'
import type { HostEntry, Listed } from './listed.ts'

/** What is known of some hosts, kept between two questions so that only what changed is sent. */
export interface HostReading {
  /** The query over servers that says which hosts; empty for all. */
  readonly on: string
  cursor: string | null
  readonly hosts: Map<number, { entry: HostEntry; rows: readonly AnyRow[]; bad: readonly BadRow[] }>
}

/** How a list of hosts is read: what is known already, and what hears of rows as they come. */
export interface HostProgress {
  readonly reading: HostReading
  onPart?(listed: Listed): void
}

/** A reading of these hosts that knows nothing yet. */
export function createHostReading(on = ''): HostReading {
  return { on, cursor: null, hosts: new Map() }
}

/** The first answer is to come soon, with whoever was quick; later ones wait for the slow. */
const firstWaitMs = 700
const waitMs = 2500
/** A host that is still pending after so many questions stays so. */
const maxQuestions = 25

const answer = lazy(() =>
  z.object({
    cursor: z.union([z.string(), z.number()]).transform(String).nullable().catch(null),
    servers: z.array(z.int()).optional().catch(undefined),
    hosts: z
      .array(
        z.object({
          server_id: z.int(),
          state: z.enum(hostStates).catch('failed'),
          at: z.string().nullable().catch(null),
          error: z.string().catch(''),
          left: z.int().catch(0),
          rows: z.array(z.unknown()).optional().catch(undefined),
        }),
      )
      .catch([]),
  }),
)

const noAnswer = { cursor: null, servers: undefined, hosts: [] }

/** Reads the records of hosts: asks until every host has answered or is known not to. Errors: those of `send`. */
export async function readHosts(api: ApiPort, resource: Resource, { reading, onPart }: HostProgress): Promise<Listed> {
  for (let question = 0; ; question += 1) {
    const query = {
      ...(reading.on === '' ? {} : { on: reading.on }),
      wait: question === 0 ? firstWaitMs : waitMs,
      ...(reading.cursor === null ? {} : { since: reading.cursor, same: 'omit' }),
    }
    const { cursor, servers, hosts } = answer()
      .catch(noAnswer)
      .parse((await api.send({ method: 'GET', path: resource.wire.calls.list.path, query })) ?? {})
    const selected = servers && new Set(servers)
    for (const id of reading.hosts.keys()) if (selected?.has(id) === false) reading.hosts.delete(id)
    const placeOf = new Map(servers?.map((id, place) => [id, place]))
    // The selection has grown since the cursor: of a new host the server takes rows for known that this client never got.
    if (hosts.some(({ server_id, state, rows }) => state === 'read' && !rows && !reading.hosts.has(server_id))) {
      reading.cursor = null
      if (question + 1 < maxQuestions) continue
    }
    for (const { rows: items, ...entry } of hosts) {
      const before = reading.hosts.get(entry.server_id)
      const isKept = items === undefined && (entry.state === 'read' || entry.state === 'pending')
      const located = (items ?? []).map((item) => ({ ...(item as object), server_id: entry.server_id }))
      const { rows, bad } = isKept && before ? before : await readRowsInPieces(resource, located, api.pause)
      reading.hosts.set(entry.server_id, { entry, rows, bad })
    }
    // Only now: a request that was canceled above leaves its rows to the next one.
    reading.cursor = cursor
    const listed = listedOf(reading, (id) => placeOf.get(id) ?? 0)
    const isPending = listed.hosts?.some(({ state }) => state === 'pending') ?? false
    if (!isPending || question + 1 >= maxQuestions) return listed
    onPart?.(listed)
  }
}

/** In the order of the server list, whoever answered first: canaries are the first of it. */
function listedOf({ hosts }: HostReading, placeOf: (id: number) => number): Listed {
  const all = [...hosts.values()].sort((a, b) => placeOf(a.entry.server_id) - placeOf(b.entry.server_id))
  return {
    rows: all.flatMap(({ rows }) => rows),
    bad: all.flatMap(({ bad }) => bad),
    total: null,
    pages: null,
    hosts: all.map(({ entry }) => entry),
  }
}
