import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests that may wait: of one caller, of all, and of a caller when there is no room for more of all. */
export const bounds = { ofOne: 2048, ofAll: 4096, always: 16 } as const
/** A connection that has sent so many ahead of their answers is not read from until they are answered. */
const mostAhead = 16
/** Requests of one caller that are worked on at the same time. */
const atOnce = 32
/** How soon places are looked for again while all are taken. */
const lookMs = 10
/** How long an answer waits for a reader who takes nothing of it. */
const unreadMs = 10_000

/** In whose turn a request is begun. */
export interface Turns {
  /**
   * Begins a request when it is its turn: the requests of one connection one after the other, those of all callers in
   * rounds, one of each. `of` names the caller. False if too many wait already.
   */
  enter(request: { of: string; request: IncomingMessage; response: ServerResponse; begin(): void }): boolean
}

interface Entry {
  line: Line
  request: IncomingMessage
  response: ServerResponse
  begin(): void
}

interface Line {
  of: string
  waiting: Entry[]
  begun: Set<Entry>
  /** Begun, waiting here, or behind another request of the same connection. */
  all: number
}

/** Whether the server works on a request: neither is the rest of its body awaited, nor does its answer wait for a reader. */
const isWorking = ({ request, response }: Entry) =>
  !(request.readableFlowing && !request.complete) && !response.writableEnded && !response.writableNeedDrain

function hasPlace({ begun }: Line): boolean {
  if (begun.size < atOnce) return true
  let working = 0
  for (const entry of begun) if (isWorking(entry)) working += 1
  return working < atOnce
}

/** Fair turns for requests (issues 11.2 and 37.3, S-54). `soon` calls in the next turn of the event loop, `later` some time after. */
export function createTurns(
  soon: (run: () => void) => void = setImmediate,
  later: (run: () => void) => void = (run) => setTimeout(run, lookMs),
): Turns {
  const lines = new Map<string, Line>()
  const behind = new WeakMap<object, Entry[]>()
  let all = 0
  let startable = 0
  let isPlanned = false
  let startedThisTurn = false

  function plan(when = soon): void {
    if (isPlanned) return
    isPlanned = true
    when(() => {
      isPlanned = false
      startedThisTurn = false
      round()
    })
  }

  /** Begins the next request of whose turn it is; the others come after whatever else has happened meanwhile. */
  function round(): void {
    for (const line of lines.values()) {
      const [entry] = line.waiting
      if (!entry || !hasPlace(line)) continue
      line.waiting.shift()
      startable -= 1
      lines.delete(line.of)
      lines.set(line.of, line)
      if (entry.request.socket.destroyed) over(entry)
      else begin(entry)
      plan()
      return
    }
    if (startable > 0) plan(later)
  }

  function begin(entry: Entry): void {
    const { line, request, response } = entry
    const { socket } = request
    startedThisTurn = true
    line.begun.add(entry)
    const end = () => {
      if (!line.begun.delete(entry)) return
      socket.off('close', end)
      over(entry)
    }
    response.once('close', end)
    // The answer to a connection that is gone may never hear of it.
    socket.once('close', end)
    response.setTimeout(unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    plan()
    entry.begin()
  }

  function over({ request: { socket }, line }: Entry): void {
    all -= 1
    line.all -= 1
    const next = behind.get(socket)?.shift()
    if (next) wait(next)
    else {
      behind.delete(socket)
      if (socket.isPaused()) socket.resume()
    }
    if (line.all === 0) lines.delete(line.of)
  }

  function wait(entry: Entry): void {
    entry.line.waiting.push(entry)
    startable += 1
    plan()
  }

  return {
    enter({ of, request, response, begin: start }) {
      const { socket } = request
      // It went while it was looked at who it is: nothing would be heard of its end.
      if (socket.destroyed) return true
      const line = lines.get(of) ?? { of, waiting: [], begun: new Set(), all: 0 }
      const following = behind.get(socket)
      if (isFull(line, following !== undefined)) return false
      lines.set(of, line)
      const entry: Entry = { line, request, response, begin: start }
      all += 1
      line.all += 1
      if (following) {
        following.push(entry)
        if (following.length >= mostAhead) socket.pause()
        return true
      }
      behind.set(socket, [])
      if (startedThisTurn || startable > 0 || !hasPlace(line)) wait(entry)
      else begin(entry)
      return true
    },
  }

  /** What others send ahead and do not read the answers of takes no room from the first request of a connection. */
  function isFull(line: Line, isAhead: boolean): boolean {
    if (!isAhead) return line.waiting.length >= bounds.ofOne
    return line.all >= bounds.ofOne || (all >= bounds.ofAll && line.all >= bounds.always)
  }
}
