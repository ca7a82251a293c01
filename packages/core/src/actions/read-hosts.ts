import * as z from 'zod'
import {
  type AnyRow,
  type ApiPort,
  type BadRow,
  hostStates,
  lazy,
  type Resource,
  readRowsInPieces,
  type View,
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

/** An answer is to come soon, with whoever was quick, and sooner while there is nothing to see; later ones wait for the slow. */
const waits = { unknown: 150, known: 700, longest: 2500 }
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
  const firstMs = reading.cursor === null ? waits.unknown : waits.known
  const ask = (question: number, cursor: string | null) => {
    const query = {
      ...(reading.on === '' ? {} : { on: reading.on }),
      wait: Math.min(waits.longest, firstMs * 2 ** question),
      ...(cursor === null ? {} : { since: cursor, same: 'omit' }),
    }
    return api.send({ method: 'GET', path: resource.wire.calls.list.path, query })
  }
  let coming = ask(0, reading.cursor)
  for (let question = 1; ; question += 1) {
    const isLast = question >= maxQuestions
    const { cursor, servers, hosts } = answer()
      .catch(noAnswer)
      .parse((await coming) ?? {})
    const selected = servers && new Set(servers)
    for (const id of reading.hosts.keys()) if (selected?.has(id) === false) reading.hosts.delete(id)
    // The selection has grown since the cursor: of a new host the server takes rows for known that this client never got.
    if (
      !isLast &&
      hosts.some(({ server_id, state, rows }) => state === 'read' && !rows && !reading.hosts.has(server_id))
    ) {
      reading.cursor = null
      coming = ask(question, null)
      continue
    }
    const states = new Map([...reading.hosts].map(([id, { entry }]) => [id, entry.state]))
    for (const { server_id, state } of hosts) states.set(server_id, state)
    const isOver = isLast || ![...states.values()].includes('pending')
    if (!isOver) {
      // The server reads the next hosts while the rows of these are read here.
      coming = ask(question, cursor)
      coming.catch(() => {})
    }
    for (const { rows: items, ...entry } of hosts) {
      const before = reading.hosts.get(entry.server_id)
      if (items === undefined && before && (entry.state === 'read' || entry.state === 'pending')) {
        reading.hosts.set(entry.server_id, { ...before, entry })
        continue
      }
      if (items) await api.pause?.()
      // The items are this answer’s own: to copy 60,000 of them is felt.
      const located = items?.map((item) =>
        item instanceof Object ? Object.assign(item, { server_id: entry.server_id }) : null,
      )
      reading.hosts.set(entry.server_id, { entry, ...(await readRowsInPieces(resource, located, api.pause)) })
    }
    // Only now: a request that was canceled above leaves its rows to the next one.
    reading.cursor = cursor
    const listed = listedOf(reading, servers)
    if (isOver) return listed
    onPart?.(listed)
  }
}

/** In the order of the server list, whoever answered first: canaries are the first of it. */
function listedOf({ hosts }: HostReading, servers: readonly number[] = []): Listed {
  const placeOf = new Map(servers.map((id, place) => [id, place]))
  const place = ({ entry }: { entry: HostEntry }) => placeOf.get(entry.server_id) ?? 0
  const all = [...hosts.values()].sort((a, b) => place(a) - place(b))
  return {
    rows: all.flatMap(({ rows }) => rows),
    bad: all.flatMap(({ bad }) => bad),
    total: null,
    pages: null,
    hosts: all.map(({ entry }) => entry),
  }
}

/** The server has hosts read for some minutes after a question: while a list shows their fields, it asks again after this time. */
const againMs = 120_000
/** How long hosts are waited for, in ms: less than a call may take. */
const waitMs = 8_000

/** Those of the fields for which hosts are read only while a client asks. */
export function askedOf(
  { fields }: Pick<Resource, 'fields'>,
  names: readonly string[],
  { supports = () => true }: Pick<View, 'supports'> = {},
): readonly string[] {
  return [...new Set(names)].filter((name) => fields[name]?.asked && supports(fields[name]?.requires ?? '')).sort()
}

/** Has hosts read for these fields. Errors: those of `send`. */
export async function askHosts(api: ApiPort, fields: readonly string[], wait = waitMs): Promise<void> {
  const query = { metric: fields.join(','), wait }
  if (fields.length > 0) await api.send({ method: 'GET', path: 'host/metrics', query })
}

/** The same while a list shows the fields; their values come with the live feed. */
export function keepAsking(
  api: ApiPort,
  fields: readonly string[],
  setTimer: (run: () => void, ms: number) => () => void,
): () => void {
  if (fields.length === 0) return () => undefined
  let cancel = () => {}
  const ask = () => {
    cancel = setTimer(ask, againMs)
    // Without an answer the fields have no data, which is what they say.
    void askHosts(api, fields, 0).catch(() => undefined)
  }
  ask()
  return () => cancel()
}
