import { createHash } from 'node:crypto'
import { freshMs, type HostSource, type HostState, type ParsedRows } from '@qd/core/define'
import type { TaskResult } from '@qd/protocol/agent'
import {
  type CollectorName,
  collectCommandOf,
  collectFailures,
  collectLimits,
  collectUnchanged,
  isCollectorName,
} from '@qd/protocol/collectors'
import { parseRefusal } from '@qd/protocol/refusals'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import type { Logger } from 'pino'
import type { Abilities } from '../../fleet/agents/abilities.ts'
import { cleanLine } from '../../fleet/agents/clean-text.ts'
import { type Hub, isOurs } from '../../fleet/agents/hub.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Questions } from '../operations/questions.ts'

/** A kind of record that lives on hosts. */
export interface HostKind {
  readonly name: string
  readonly host: HostSource
}

/** What one host said of one kind, or why it didn’t. */
export interface HostReading {
  readonly serverId: number
  readonly state: HostState
  /** When it was read, epoch ms; null while nothing was read. */
  readonly at: number | null
  /** Why it failed, in the host’s own words. Clean; may be empty. */
  readonly error: string
  /** The records as JSON text. */
  readonly rows: string
  /** The same without `confidential` fields. */
  readonly openRows: string
  /** Records that were left out. */
  readonly left: number
}

/** The records of hosts, read while a client asks. */
export type HostReadings = ReturnType<typeof createHostReadings>

/** Bounds of the readings. Times in ms, sizes in characters. */
export interface ReadingLimits {
  /** Hosts that are asked at the same time for clients. */
  atOnce: number
  /** The same for `onRead` alone, so that clients keep their room. */
  samplesAtOnce: number
  /** After this time a host that doesn’t answer no longer counts as one of those. */
  slotMs: number
  /** How long an answer is waited for: the agent’s own limit, and its way. */
  answerMs: number
  /** A reading is kept this long after the last call for it. */
  keepMs: number
  /** How long a reading counts at least, for each host of its kind: a list of many is read less often, so it costs the server no more. */
  perHostMs: number
  /** Of all rows together; the reading that was asked for longest ago goes first. */
  kept: number
  /** Of the rows in one answer. */
  answer: number
}

const usual: ReadingLimits = {
  atOnce: 20,
  samplesAtOnce: 12,
  slotMs: 2_000,
  answerMs: collectLimits.timeMs + 2_000,
  keepMs: 60_000,
  perHostMs: 20,
  kept: 128 * 2 ** 20,
  answer: 3 * 2 ** 20,
}

const longestError = 200

type Rows = Extract<ParsedRows, { rows: unknown }>['rows']

interface Entry {
  reading: HostReading
  /** Rises with each change of `reading` over all entries. */
  version: number
  /** The version in which its rows changed; infinite while a client got it without them and its cursor is beyond. */
  rowsVersion: number
  /** Until when it counts as fresh, epoch ms. */
  freshUntil: number
  askedAt: number
  /** The reading in progress. */
  running: Promise<void> | null
  /** What is being read counts as old already. */
  isExpired: boolean
  /** Tells whether the host printed the same as for `reading`, which then needs no parsing; null if that isn’t of a whole output. */
  digest: string | null
}

/** What a host said, or why it said nothing. */
export type Said = ParsedRows | { state: HostState; error?: string }
/** `same`: what was said before. */
type Heard = { readonly said: Said | 'same'; readonly digest: string | null }

/** Asks agents by collector, existing agents by command. */
export function createHostReadings(
  parts: {
    hub: Hub
    abilities: Abilities
    live: Pick<LiveState, 'hostOf'>
    questions: Questions
    clock: Clock
    log: Pick<Logger, 'error'>
    /** Adds what the server knows of the records of a host. */
    complete?: (kind: string, serverId: number, rows: Rows) => Promise<Rows>
  },
  limits: Partial<ReadingLimits> = {},
) {
  const { hub, abilities, live, questions, clock, log, complete } = parts
  const { atOnce, samplesAtOnce, slotMs, answerMs, keepMs, perHostMs, kept, answer } = { ...usual, ...limits }
  const kinds = new Map<string, Map<number, Entry>>()
  const slots = createSlots(atOnce, clock, slotMs)
  const sampleSlots = createSlots(samplesAtOnce, clock, slotMs)
  const listeners = createListeners<[kind: HostKind, serverId: number, said: Said]>()
  // Clients keep their cursor over a restart of the server: a later process counts from a larger number.
  let version = clock.now()
  let size = 0
  let isSweeping = false

  // It may have been read as an agent without collectors since it connected.
  abilities.onTold((serverId) => expire(serverId))

  function nextVersion() {
    version += 1
    return version
  }

  function setReading(entry: Entry, reading: HostReading, hasSameRows = false) {
    size += sizeOf(reading) - sizeOf(entry.reading)
    entry.reading = reading
    entry.version = nextVersion()
    if (!hasSameRows || entry.rowsVersion === Number.POSITIVE_INFINITY) entry.rowsVersion = entry.version
  }

  function drop(entries: Map<number, Entry>, id: number, entry: Entry) {
    size -= sizeOf(entry.reading)
    entries.delete(id)
  }

  /** Deletes readings that no client asks for. Runs only while there are readings. */
  function sweep() {
    isSweeping = false
    const now = clock.now()
    for (const [name, entries] of kinds) {
      for (const [id, entry] of entries) if (!entry.running && now - entry.askedAt >= keepMs) drop(entries, id, entry)
      if (entries.size === 0) kinds.delete(name)
    }
    sweepLater()
  }
  function sweepLater() {
    if (isSweeping || kinds.size === 0) return
    isSweeping = true
    clock.after(keepMs, sweep)
  }

  function makeRoom() {
    if (size <= kept) return
    const all = [...kinds.values()].flatMap((entries) => [...entries].map(([id, entry]) => ({ entries, id, entry })))
    for (const { entries, id, entry } of all.sort((a, b) => a.entry.askedAt - b.entry.askedAt)) {
      if (size <= kept) return
      if (!entry.running) drop(entries, id, entry)
    }
  }

  function expire(serverId: number) {
    for (const entries of kinds.values()) {
      const entry = entries.get(serverId)
      if (!entry) continue
      entry.freshUntil = 0
      entry.isExpired = entry.running !== null
    }
  }

  /** `known`: the digest of an output that needs no repetition. */
  async function collect(collector: CollectorName, serverId: number, known: string | null): Promise<Said | TaskResult> {
    const host = live.hostOf(serverId)
    const isKnown = abilities.has(serverId, collector)
    if (!isKnown && (isOurs(host) || /windows/i.test(host.platform ?? ''))) return { state: 'not supported' }
    const question = isKnown
      ? { type: extensionTask.collect, data: JSON.stringify({ collector, ...(known && { known }) }) }
      : { type: taskType.command, data: collectCommandOf(collector) }
    const result = await questions.ask(serverId, { ...question, timeoutMs: answerMs })
    if (result === null) return { state: 'offline' }
    return result === 'timeout' ? { state: 'timed out' } : result
  }

  async function parse({ name, host }: HostKind, serverId: number, text: string): Promise<ParsedRows> {
    const parsed = (await host.parser())(text)
    return complete && 'rows' in parsed ? { ...parsed, rows: await complete(name, serverId, parsed.rows) } : parsed
  }

  async function readHost(kind: HostKind, serverId: number, before: string | null): Promise<Heard> {
    const heard = (said: Said): Heard => ({ said, digest: null })
    const { collector } = kind.host
    if (!isCollectorName(collector)) return heard({ state: 'not supported' })
    const said = await collect(collector, serverId, before)
    if ('state' in said) return heard(said)
    if (!said.successful) return heard(failureOf(said.data))
    if (said.data.length > collectLimits.bytes) return heard(failureOf(collectFailures.large))
    if (before !== null && said.data === collectUnchanged) return { said: 'same', digest: before }
    const digest = createHash('sha256').update(said.data).digest('base64')
    return { said: digest === before ? 'same' : await parse(kind, serverId, said.data), digest }
  }

  /** What listeners do with it is theirs: one that fails must not end the reads of this host. */
  function tell(kind: HostKind, serverId: number, said: Said) {
    try {
      listeners.notify(kind, serverId, said)
    } catch (error) {
      log.error({ err: error, kind: kind.name, serverId }, 'failed to use what a host said')
    }
  }

  async function ask(kind: HostKind, serverId: number, before: string | null, turns = slots): Promise<Heard> {
    const give = await turns.take()
    const heard: Heard = hub.connected(serverId)
      ? await readHost(kind, serverId, before).catch(() => ({ said: { state: 'failed' }, digest: null }))
      : { said: { state: 'offline' }, digest: null }
    give()
    const { said } = heard
    if (said !== 'same' && said.state !== 'offline') tell(kind, serverId, said)
    return heard
  }

  async function start(kind: HostKind, serverId: number, entry: Entry): Promise<void> {
    const { said, digest } = await ask(kind, serverId, entry.digest)
    entry.running = null
    entry.digest = digest
    const at = clock.now()
    if (said === 'same') setReading(entry, { ...entry.reading, at }, true)
    else setReading(entry, readingOf(kind, serverId, said, at))
    const countsMs = Math.max(freshMs(kind.host, entry.reading.state), (kinds.get(kind.name)?.size ?? 0) * perHostMs)
    entry.freshUntil = entry.isExpired ? 0 : at + countsMs
    entry.isExpired = false
    makeRoom()
  }

  /** The entry of a host, which is read now unless it is fresh. A host that is offline, or is back, is known at once. */
  function entryOf(kind: HostKind, entries: Map<number, Entry>, serverId: number): Entry {
    const now = clock.now()
    const entry = entries.get(serverId) ?? {
      reading: { serverId, state: 'pending', at: null, error: '', ...noRows } as const,
      version: nextVersion(),
      rowsVersion: version,
      freshUntil: 0,
      askedAt: now,
      running: null,
      isExpired: false,
      digest: null,
    }
    entries.set(serverId, entry)
    entry.askedAt = now
    const isOffline = !hub.connected(serverId)
    const wasOffline = entry.reading.state === 'offline'
    // Renewed like any reading: a call whose selection has grown since its cursor gets it too.
    if (!entry.running && isOffline && (!wasOffline || now >= entry.freshUntil)) {
      setReading(entry, { serverId, state: 'offline', at: null, error: '', ...noRows })
      entry.digest = null
      entry.freshUntil = now + kind.host.shownMs
    }
    if (entry.running && entry.isExpired) {
      // What is being read began before the change that this call asks about.
      entry.isExpired = false
      entry.running = entry.running.then(() => {
        entry.running ??= start(kind, serverId, entry)
        return entry.running
      })
    } else if (!entry.running && !isOffline && (wasOffline || now >= entry.freshUntil))
      entry.running = start(kind, serverId, entry)
    return entry
  }

  return {
    /**
     * Reads the hosts whose reading is older than the kind’s `shownMs`, and resolves when all of these servers have been read, or after `waitMs`.
     * Returns those that changed after the cursor `since` (0: all), and the cursor for the next call. Servers beyond the size limit of one answer are
     * `pending`, and come with the next call. `omitsSame`: with empty rows where these are still those of the cursor.
     */
    async read(
      kind: HostKind,
      servers: readonly number[],
      { since, waitMs, omitsSame = false }: { since: number; waitMs: number; omitsSame?: boolean },
    ): Promise<{ cursor: number; hosts: HostReading[] }> {
      const entries = kinds.get(kind.name) ?? new Map<number, Entry>()
      kinds.set(kind.name, entries)
      const asked = servers.map((id) => entryOf(kind, entries, id))
      sweepLater()
      const running = asked.flatMap((entry) => entry.running ?? [])
      if (running.length > 0 && waitMs > 0) await within(clock, waitMs, Promise.all(running))
      // A cursor from the future is of an earlier process, whose clock was ahead.
      return changedSince(asked, { since: since > version ? 0 : since, omitsSame }, answer)
    },
    /** Reads a host for `onRead` alone: none of it is kept. Resolves when it was read. */
    async sample(kind: HostKind, serverId: number): Promise<void> {
      await ask(kind, serverId, null, sampleSlots)
    },
    /** A host was read, whoever asked. Not told of one that is offline, or that says the same as before. */
    onRead: listeners.add,
    /** The records of a host as JSON text, if they were read just now. Reads nothing. */
    fresh(kind: HostKind, serverId: number): string | null {
      const entry = kinds.get(kind.name)?.get(serverId)
      return entry && entry.reading.state === 'read' && entry.freshUntil > clock.now() ? entry.reading.rows : null
    },
    /** What is known of this host no longer counts: the next call reads it. */
    expire,
    /** Whether its agent reads this kind by a collector of its own; such an agent also starts the program that a terminal names. */
    collects: ({ host }: HostKind, serverId: number) => abilities.has(serverId, host.collector),
  }
}

function readingOf({ host }: HostKind, serverId: number, said: Said, at: number): HostReading {
  const rows = 'rows' in said ? JSON.stringify(said.rows) : '[]'
  return {
    serverId,
    state: said.state,
    at: said.state === 'offline' ? null : at,
    error: 'error' in said ? (said.error ?? '') : '',
    rows,
    openRows: 'rows' in said ? openRowsOf(host, said.rows, rows) : rows,
    left: 'rows' in said ? said.left : 0,
  }
}

const noRows = { rows: '[]', openRows: '[]', left: 0 } as const

/** What a reading takes of the memory: both texts are one if the kind has nothing confidential. */
const sizeOf = ({ rows, openRows }: HostReading) => rows.length + (openRows === rows ? 0 : openRows.length)

/** The records as text without confidential fields; `text` is that of all fields. */
function openRowsOf(
  { confidential = [] }: HostSource,
  rows: readonly Readonly<Record<string, unknown>>[],
  text: string,
): string {
  if (confidential.length === 0) return text
  return JSON.stringify(rows, (key, value) => (confidential.includes(key) ? undefined : (value as unknown)))
}

/** The readings that changed after the cursor, oldest change first, up to so many characters of rows; the first of them always. */
function changedSince(
  asked: readonly Entry[],
  { since, omitsSame }: { since: number; omitsSame: boolean },
  most: number,
): { cursor: number; hosts: HostReading[] } {
  const changed = asked.filter(({ version }) => version > since).sort((a, b) => a.version - b.version)
  const hosts: HostReading[] = []
  let cursor = since
  let size = 0
  let isFull = false
  const later = (entry: Entry): HostReading => {
    // Beyond the cursor of a full answer they are new to who asks next; else what is being read has to bring them.
    entry.rowsVersion = Math.max(entry.rowsVersion, isFull ? entry.version : Number.POSITIVE_INFINITY)
    return { ...entry.reading, state: 'pending', at: null, ...noRows }
  }
  for (const entry of changed) {
    const { reading, version, rowsVersion, running } = entry
    const isSame = omitsSame && rowsVersion <= since && reading.state === 'read'
    size += isSame ? 0 : reading.rows.length
    isFull ||= size > most && hosts.length > 0
    if (!isFull) cursor = version
    // Who knows nothing yet waits for the reading in progress instead of taking an old one for it.
    if (isFull || (since === 0 && running)) hosts.push(later(entry))
    else hosts.push(isSame ? { ...reading, rows: '', openRows: '' } : reading)
  }
  return { cursor, hosts }
}

/** Resolves when the work is done, or after so long. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void work.then(() => {
      cancel()
      resolve()
    })
  })
}

/** Why a host couldn’t be read, by what its agent says. */
function failureOf(data: string): Said {
  if (parseRefusal(data)) return { state: 'refused' }
  if (data === collectFailures.timedOut) return { state: 'timed out' }
  if (data === collectFailures.unknown || data === collectFailures.unavailable) return { state: 'not supported' }
  return { state: 'failed', error: cleanLine(data.trim().split('\n').at(-1) ?? '', longestError) }
}

/** Places for work that may run side by side; what finds none waits, first come first served. A place is free again when it is given back, or after `maxMs`. */
function createSlots(most: number, clock: Clock, maxMs: number): { take(): Promise<() => void> } {
  const waiting: ((give: () => void) => void)[] = []
  let free = most
  function taken() {
    let isHeld = true
    const give = () => {
      if (!isHeld) return
      isHeld = false
      cancel()
      const next = waiting.shift()
      if (next) next(taken())
      else free += 1
    }
    const cancel = clock.after(maxMs, give)
    return give
  }
  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve))
      free -= 1
      return Promise.resolve(taken())
    },
  }
}
