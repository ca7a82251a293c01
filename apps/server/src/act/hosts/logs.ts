import type { HostState, Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { type LogEntry, type LogRequest, logLimits, parseLogFrame } from '@qd/protocol/logs'
import { logsAbility } from '@qd/protocol/task-types'
import { serverStops } from '../../access/sockets.ts'
import type { Base } from '../../base.ts'
import type { Abilities } from '../../fleet/agents/abilities.ts'
import { cleanLine, cleanOutput } from '../../fleet/agents/clean-text.ts'
import type { Hub } from '../../fleet/agents/hub.ts'
import type { Ending, Link, UserSide } from '../../fleet/streams/stream.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { ownServer, seesHosts } from '../../store/records/rights.ts'

/** About one host of a reading. `left`: how many lines are missing before these. `ended`: the host has sent all. */
export type LogMessage = { readonly server_id: number } & (
  | {
      readonly state: HostState
      readonly source?: string
      readonly filtered?: boolean
      readonly error?: string
      readonly ended?: true
    }
  | { readonly entries: readonly LogEntry[]; readonly left: number }
)

/** The user’s end of a reading. */
export interface LogReader {
  /** Takes a `LogMessage` as JSON text. False: wait for `drained`. */
  send(message: string): boolean
  close(ending: Ending): void
}

/** What the user’s end reports. */
export interface LogLink {
  drained(): void
  gone(): void
}

/** Log lines of hosts while a user reads them. Source: docs/reference/host-resources.md. */
export interface LogReadings {
  /** Returns the ID of a reading that begins when its user attaches. The caller’s rights are checked before. Errors: `blocked`. */
  open(caller: Caller, servers: readonly number[], request: LogRequest): string
  /** Null if it is unknown, attached, or another user’s. */
  attach(id: string, viewer: Viewer, reader: LogReader): LogLink | null
}

/** Bounds of the readings; times in ms. */
export interface LogReadingLimits {
  perUser: number
  /** Until the user attaches. */
  attachMs: number
  /** Characters a second that one host may send to the user, after so many. */
  rate: number
  burst: number
}

const usual: LogReadingLimits = { perUser: 5, attachMs: 30_000, rate: 2 ** 20, burst: 8 * 2 ** 20 }

interface Reading {
  readonly id: string
  readonly caller: Caller
  readonly servers: readonly number[]
  readonly request: LogRequest
  attach: ((reader: LogReader) => LogLink) | null
  /** An agent that was lost is there again. */
  returned(serverId: number): void
  revoke(): void
}

export function createLogReadings(
  base: Pick<Base, 'clock' | 'random' | 'sockets' | 'servers' | 'settings'>,
  parts: { hub: Hub; abilities: Abilities; streams: Streams },
  limits: Partial<LogReadingLimits> = {},
): LogReadings {
  const { clock, random, settings } = base
  const { perUser, attachMs, rate, burst } = { ...usual, ...limits }
  const open = new Map<string, Reading>()

  parts.abilities.onTold((serverId) => {
    for (const reading of open.values()) reading.returned(serverId)
  })
  settings.onChange(() => {
    for (const reading of [...open.values()]) if (!seesHosts(settings, reading.caller.viewer)) reading.revoke()
  })

  return {
    open(caller, servers, request) {
      const own = [...open.values()].filter(({ caller: { viewer } }) => viewer.id === caller.viewer.id)
      if (own.length >= perUser) throw new AppError('blocked', { reason: 'userStreams', text: texts.userStreams })
      const id = Buffer.from(random.bytes(16)).toString('hex')
      const forget = () => void open.delete(id)
      const cancel = clock.after(attachMs, forget)
      const reading: Reading = {
        ...{ id, caller, servers, request },
        returned: () => {},
        revoke() {
          cancel()
          forget()
        },
        attach(reader) {
          cancel()
          reading.attach = null
          const { link, returned, revoke } = startReading(base, parts, {
            ...reading,
            reader,
            rate,
            burst,
            over: forget,
          })
          reading.returned = returned
          reading.revoke = revoke
          return link
        },
      }
      open.set(id, reading)
      return id
    },
    attach(id, viewer, reader) {
      const reading = open.get(id)
      if (viewer.id === null || reading?.caller.viewer.id !== viewer.id) return null
      return reading.attach?.(reader) ?? null
    },
  }
}

interface ReadHost {
  link: Link | null
  state: HostState
  isEnded: boolean
  /** Of its newest line, epoch ms. */
  lastAt: number
  /** Characters that it may still send. */
  budget: number
  countedAt: number
  /** It has sent more, and is held for a while. */
  isSpent: boolean
  /** How many lines of it were sent. */
  sent: number
  /** Ends the wait for what its agent can be asked for. */
  told: (() => void) | null
}

/** Reads all hosts until each has ended, or the user goes. */
function startReading(
  { clock, sockets, servers: records }: Pick<Base, 'clock' | 'sockets' | 'servers'>,
  { hub, abilities, streams }: { hub: Hub; abilities: Abilities; streams: Streams },
  options: Pick<Reading, 'caller' | 'servers' | 'request'> & {
    reader: LogReader
    rate: number
    burst: number
    over(): void
  },
): Pick<Reading, 'returned' | 'revoke'> & { link: LogLink } {
  const { caller, servers, request, reader, rate, burst } = options
  const hosts = new Map<number, ReadHost>()
  let isOver = false
  let isFull = false

  function end(ending: Ending) {
    if (isOver) return
    isOver = true
    remove()
    for (const host of hosts.values()) host.link?.gone(true)
    reader.close(ending)
    options.over()
  }
  const remove = sockets.add(caller, (reason) => end(reason === serverStops ? 'stop' : 'revoked'))

  function tell(id: number, host: ReadHost, state: HostState, more: { error?: string; ended?: true } = {}) {
    if (isOver) return
    host.state = state
    host.isEnded = !(state === 'pending' || state === 'read' || (state === 'offline' && request.follow))
    if (more.ended) host.isEnded = true
    send({ server_id: id, state, ...more }, host)
    if ([...hosts.values()].every(({ isEnded }) => isEnded)) end('ended')
  }

  /** Whether the reader and the host’s budget allow more at once. */
  function send(message: LogMessage, host: ReadHost): boolean {
    const text = JSON.stringify(message)
    const now = clock.now()
    host.budget = Math.min(burst, host.budget + ((now - host.countedAt) / 1000) * rate) - text.length
    host.countedAt = now
    if (!reader.send(text)) isFull = true
    if (host.budget < 0 && !host.isSpent) {
      host.isSpent = true
      clock.after((-host.budget / rate) * 1000, () => {
        host.isSpent = false
        resume(host)
      })
    }
    return !isFull && !host.isSpent
  }
  function resume(host: ReadHost) {
    if (!isFull && !host.isSpent) host.link?.drained()
  }

  function received(id: number, host: ReadHost, bytes: Uint8Array): boolean {
    const frame = bytes.length <= longestFrame ? parseLogFrame(bytes) : undefined
    if (host.isEnded || isOver) return true
    if (frame?.kind === 'entries') {
      const most = request.follow ? frame.entries.length : logLimits.maxLines - host.sent
      const entries = frame.entries.slice(0, most).map(clean)
      host.sent += entries.length
      for (const { at } of entries) host.lastAt = Math.max(host.lastAt, at)
      return send({ server_id: id, entries, left: frame.left + frame.entries.length - entries.length }, host)
    }
    if (frame?.kind === 'source') {
      host.state = 'read'
      const { source, filtered } = frame
      return send({ server_id: id, state: 'read', source, filtered }, host)
    }
    if (frame?.end === 'done') tell(id, host, 'read', { ended: true })
    else if (frame) tell(id, host, frame.end as HostState, frame.error ? { error: cleanLine(frame.error, 256) } : {})
    else {
      tell(id, host, 'failed')
      host.link?.gone(true)
    }
    return true
  }

  const stateAfter = (ending: Ending): HostState => {
    if (ending === 'agent-gone') return 'offline'
    if (ending === 'no-agent') return 'timed out'
    return ending === 'revoked' ? 'no permission' : 'failed'
  }

  const sideOf = (id: number, host: ReadHost): UserSide => ({
    caller,
    comesBack: false,
    received: 0,
    answers: async () => true,
    send: (bytes) => received(id, host, bytes),
    flow: () => {},
    close(ending) {
      host.link = null
      if (ending === 'stop') return end('stop')
      if (host.isEnded) return
      // An agent that restarts fast is connected again before its old stream is known to be cut.
      const isCut = ending === 'ended' && request.follow
      tell(id, host, isCut ? 'offline' : stateAfter(ending))
      if (isCut) clock.after(againMs, () => abilities.has(id, logsAbility) && returned(id))
    },
  })

  /** An agent that has just connected is about to tell what it can be asked for; others never do. */
  async function untilTold(host: ReadHost) {
    await new Promise<void>((resolve) => {
      host.told = resolve
      clock.after(toldMs, resolve)
    })
    host.told = null
  }

  async function start(id: number, host: ReadHost, asked: LogRequest): Promise<void> {
    if (!ownServer(records, caller.viewer, id)) return tell(id, host, 'no permission')
    if (!hub.connected(id)) return tell(id, host, 'offline')
    tell(id, host, 'pending')
    if (!abilities.has(id, logsAbility)) await untilTold(host)
    if (isOver) return
    if (!abilities.has(id, logsAbility)) return tell(id, host, 'not supported')
    try {
      const stream = streams.create({ caller, serverId: id, purpose: 'logs', more: asked })
      const attach = await streams.find(stream, 'logs', caller.viewer)?.admit(false)
      host.link = attach?.(sideOf(id, host)) ?? null
      if (isOver) host.link?.gone(true)
      else if (!host.link) tell(id, host, 'failed')
    } catch (thrown) {
      tell(id, host, 'failed', thrown instanceof AppError ? { error: String(thrown.params.text ?? thrown.code) } : {})
    }
  }

  for (const id of servers) {
    const now = clock.now()
    const none = { link: null, state: 'pending', isEnded: false, lastAt: 0, budget: burst, countedAt: now } as const
    hosts.set(id, { ...none, isSpent: false, sent: 0, told: null })
  }
  if (hosts.size === 0) queueMicrotask(() => end('ended'))
  for (const [id, host] of hosts) void start(id, host, request)

  function returned(id: number) {
    const host = hosts.get(id)
    host?.told?.()
    if (isOver || host?.state !== 'offline' || host.isEnded) return
    const since = host.lastAt > 0 ? host.lastAt + 1 : request.since
    void start(id, host, { ...request, since, lines: host.lastAt > 0 ? logLimits.linesSince : request.lines })
  }

  return {
    link: {
      drained() {
        isFull = false
        for (const host of hosts.values()) resume(host)
      },
      gone: () => end('left'),
    },
    returned,
    revoke: () => end('revoked'),
  }
}

/** Until a stream that was cut is asked for again, in ms. */
const againMs = 1_000

/** Until an agent that has told nothing counts as one without logs, in ms. */
const toldMs = 1_000

/** JSON may need several bytes for a character. */
const longestFrame = 16 * logLimits.frame

/** Colors, which many programs print whatever reads them. (Node’s own stripVTControlCharacters takes text away, up to a bell.) */
const colors = /\u001b\[[\d;:]*[mK]/g

/** An entry that can’t change how a terminal or a page looks. */
function clean({ text, unit, name, ...rest }: LogEntry): LogEntry {
  return {
    ...rest,
    unit: cleanLine(unit, logLimits.name),
    name: cleanLine(name, logLimits.name),
    text: cleanOutput(text.replace(colors, '')),
  }
}
