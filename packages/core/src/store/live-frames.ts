import * as z from 'zod'
import { lazy, type ResourceName, resourceNames } from '../define/index.ts'
import { type Rollout, rollout, runCounts } from '../resources/index.ts'
import { geoip, type HostState, host, hostState, liveFrame, sampleMetrics } from '../schemas/index.ts'

export interface LiveUpdate {
  /** Epoch ms of the server’s clock. */
  now: number
  /** Open live sockets; null if unknown. */
  online: number | null
  /** `at`: epoch ms of the sample; null without one. */
  servers: readonly { id: number; at: number | null; fields: Readonly<Record<string, unknown>> }[]
  /** IDs of all servers that the viewer may see, if the message lists them. */
  all: ReadonlySet<number> | null
  gone: readonly number[]
  stale: readonly ResourceName[]
  /** Records that somebody saved, with their `updated_at`: whoever knows that record needs no new reading. */
  saved: readonly { resource: ResourceName; id: number; updatedAt: string }[]
  runs: readonly { id: number; counts: unknown; finished_at: string | null; rollout: Rollout }[]
}

/** Reads messages of one connection in order; null for an invalid one. */
export type FrameReader = (frame: unknown) => LiveUpdate | null

const nothing = { online: null, all: null, gone: [], stale: [], saved: [], runs: [] } as const

/** Full frames have only the country of `geoip`, so its other fields stay. Source: contract http-api 5.2. */
function readFull(frame: unknown): LiveUpdate | null {
  const parsed = liveFrame().safeParse(frame)
  if (!parsed.success) return null
  const { now, online, servers } = parsed.data
  return {
    ...nothing,
    now,
    online,
    all: new Set(servers.map(({ id }) => id)),
    servers: servers.map(({ id, last_active, country_code, public_note, ...row }) => {
      const isReporting = last_active !== '' && !last_active.startsWith('0001-01-01')
      const seen = isReporting ? { last_active, last_seen_at: last_active } : { last_active: null }
      return {
        id,
        at: isReporting ? Date.parse(last_active) : null,
        fields: { ...row, ...seen, ...(public_note === undefined ? {} : { public_note }) },
      }
    }),
  }
}

const integers = z.array(z.number())
const changesFrame = lazy(() =>
  z.object({
    now: z.number(),
    reset: z.boolean().catch(false),
    online: z.number().nullable().catch(null),
    versions: z.record(z.string(), z.number()).catch({}),
    servers: z
      .array(
        z.looseObject({
          id: z.int(),
          host: host().optional(),
          state: hostState(),
          geoip: geoip().optional(),
          last_active: z.string().nullable().catch(null),
          last_seen_at: z.string().nullable().optional(),
          figures: integers.catch([]),
        }),
      )
      .catch([]),
    gone: integers.catch([]),
    // Thousands per second on a large fleet, so only `vectorsOf` checks them.
    samples: z.unknown().optional(),
    sensors: z.array(z.looseObject({ id: z.int() })).catch([]),
    records: z
      .array(
        z.object({
          resource: z.enum(resourceNames),
          version: z.number().catch(0),
          ids: integers.catch([]),
          saved: z.array(z.string().nullable()).catch([]),
        }),
      )
      .catch([]),
    runs: z
      .array(
        z.object({
          id: z.int(),
          counts: runCounts(),
          finished_at: z.string().nullable().catch(null),
          rollout: rollout(),
        }),
      )
      .catch([]),
  }),
)

interface Known {
  figures: number[]
  /** Updated in place: thousands of new objects per second would keep V8 collecting garbage. */
  state: Record<string, unknown>
}

/** All metrics of a sample, so that V8 gives every state the same shape. */
const noFigures: Readonly<Record<string, unknown>> = Object.fromEntries(sampleMetrics.map(([name]) => [name, 0]))

/** Reads `quarterdeck.live.v1`. `versions` outlives connections: it shows what was missed in between. */
function createChangesReader(versions: Map<string, number>): FrameReader {
  const known = new Map<number, Known>()
  return (frame) => {
    const parsed = changesFrame().safeParse(frame)
    if (!parsed.success) return null
    const { now, reset, online, servers, gone, samples, sensors, records, runs } = parsed.data
    if (reset) known.clear()
    const rows = servers.map(({ id, figures: vector, ...fields }) => {
      const { temperatures, gpu } = fields.state
      known.set(id, {
        figures: [...vector],
        state: stateWith({ ...(temperatures && { temperatures }), ...(gpu && { gpu }) }),
      })
      return { id, at: fields.last_active === null ? null : Date.parse(fields.last_active), fields }
    })
    const sampled = vectorsOf(samples).flatMap((sample) => {
      const id = sample[0] ?? 0
      const row = known.get(id)
      if (!row) return []
      for (let index = 1; index < sample.length; index++)
        row.figures[index - 1] = (row.figures[index - 1] ?? 0) + (sample[index] ?? 0)
      // Without a new time only a new object shows that something changed.
      if (!sample[1]) row.state = { ...row.state }
      const at = row.figures[0] ?? 0
      return { id, at: at > 0 ? at : null, fields: fieldsOf(row) }
    })
    const sensed = sensors.flatMap(({ id, ...read }) => {
      const row = known.get(id)
      if (!row) return []
      const { temperatures = [], gpu = [] } = hostState().parse(read)
      row.state = stateWith({ temperatures, gpu })
      return { id, at: null, fields: fieldsOf(row) }
    })
    for (const id of gone) known.delete(id)
    // The first frame has nothing to compare with: lists requested before it may be older.
    const missed = Object.entries(parsed.data.versions).filter(
      ([name, version]) => version > (versions.get(name) ?? -1),
    )
    for (const [name, version] of Object.entries(parsed.data.versions)) versions.set(name, version)
    for (const { resource, version } of records) versions.set(resource, version)
    const stale = missed.map(([name]) => name as ResourceName)
    const saves: LiveUpdate['saved'][number][] = []
    for (const { resource, ids, saved } of records) {
      const known = ids.flatMap((id, at) => (saved[at] ? [{ resource, id, updatedAt: saved[at] }] : []))
      // Of other changes nothing is known until the list is read.
      if (known.length === 0 || known.length < ids.length) stale.push(resource)
      else saves.push(...known)
    }
    return {
      now,
      online,
      servers: [...rows, ...sampled, ...sensed],
      all: reset ? new Set(known.keys()) : null,
      gone,
      stale: [...new Set(stale)],
      saved: saves,
      runs,
    }
  }
}

/** Lists of numbers; empty if anything else is among them. */
function vectorsOf(value: unknown): readonly (readonly number[])[] {
  const isVector = (one: unknown) => Array.isArray(one) && one.every(Number.isFinite)
  return Array.isArray(value) && value.every(isVector) ? value : []
}

/** A state with the parts that samples lack: temperatures and GPU load. */
const stateWith = (rest: HostState): Record<string, unknown> => ({ ...noFigures, ...rest })

function fieldsOf({ figures: vector, state }: Known): Record<string, unknown> {
  for (const [index, [name, stepsPerUnit]] of sampleMetrics.entries()) {
    // A division doesn’t cause binary noise as a product with 0.1 would.
    state[name] = (vector[index + 1] ?? 0) / stepsPerUnit
  }
  const at = vector[0] ?? 0
  if (at <= 0) return { state, last_active: null }
  const seen = new Date(at).toISOString()
  return { state, last_active: seen, last_seen_at: seen }
}

/** The first message shows the format of the connection. */
export function createFrameReader(versions: Map<string, number>): FrameReader {
  let read: FrameReader | null = null
  return (frame) => {
    const isChanges = typeof frame === 'object' && frame !== null && 'reset' in frame
    read ??= isChanges ? createChangesReader(versions) : readFull
    return read(frame)
  }
}
