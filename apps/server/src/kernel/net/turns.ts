import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests that may wait: of one caller, and of all if they were sent ahead of answers. */
export const maxWaiting = { each: 2048, all: 4096 } as const
/** A connection that has sent so many ahead of their answers is not read from until they are answered; a caller has as many in any case. */
const maxAhead = 16
/** Requests of one caller that are worked on at the same time. */
const maxAtOnce = 32
/** How soon places are looked for again while all are taken. */
const lookMs = 10
/** How long an answer waits for a reader who takes nothing of it. */
const unreadMs = 10_000

interface Call {
  of: string
  request: IncomingMessage
  response: ServerResponse
  begin(): void
}

/** In whose turn a request is begun. */
export interface Turns {
  /**
   * Begins a request when it is its turn: the requests of one connection one after the other, those of all callers in
   * rounds, one of each. `of` names the caller. False if too many wait already.
   */
  enter(call: Call): boolean
}

interface Caller {
  waiting: Call[]
  begun: Set<Call>
  /** Begun, waiting here, or behind another request of the same connection. */
  all: number
}

/** Whether the server works on a request: it neither awaits the rest of its body nor waits for the reader of its answer. */
const isWorkedOn = ({ request, response }: Call) =>
  !(request.readableFlowing && !request.complete) && !response.writableEnded && !response.writableNeedDrain

const hasPlace = ({ begun }: Caller) => begun.size < maxAtOnce || [...begun].filter(isWorkedOn).length < maxAtOnce

/** Fair turns for requests. `soon` calls in the next turn of the event loop, `later` some time after. */
export function createTurns(
  soon: (run: () => void) => void = setImmediate,
  later: (run: () => void) => void = (run) => setTimeout(run, lookMs),
): Turns {
  const callers = new Map<string, Caller>()
  /** What each connection with a request under way has sent ahead. */
  const behind = new WeakMap<object, Call[]>()
  let all = 0
  let isPlanned = false

  function plan(when = soon): void {
    if (isPlanned) return
    isPlanned = true
    when(() => {
      isPlanned = false
      round()
    })
  }

  /** Begins one request; the next comes after whatever else has happened meanwhile. */
  function round(): void {
    let isAwaited = false
    for (const [of, caller] of callers) {
      if (caller.waiting.length === 0) continue
      isAwaited = true
      if (!hasPlace(caller)) continue
      callers.delete(of)
      callers.set(of, caller)
      begin(caller, caller.waiting.shift()!)
      plan()
      return
    }
    if (isAwaited) plan(later)
  }

  function begin(caller: Caller, call: Call): void {
    const { socket } = call.request
    const end = () => {
      if (!caller.begun.delete(call)) return
      socket.off('close', end)
      over(caller, call)
    }
    caller.begun.add(call)
    if (socket.destroyed) {
      end()
      return
    }
    call.response.once('close', end)
    // The answer to a connection that is gone may never hear of it.
    socket.once('close', end)
    call.response.setTimeout(unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    call.begin()
  }

  function over(caller: Caller, { of, request: { socket } }: Call): void {
    all -= 1
    caller.all -= 1
    if (caller.all === 0) callers.delete(of)
    const next = behind.get(socket)?.shift()
    if (next) {
      callers.get(next.of)?.waiting.push(next)
      plan()
    } else {
      behind.delete(socket)
      if (socket.isPaused()) socket.resume()
    }
  }

  return {
    enter(call) {
      const {
        of,
        request: { socket },
      } = call
      // It closed before it was known who it is: nothing would be heard of its end.
      if (socket.destroyed) return true
      const caller = callers.get(of) ?? { waiting: [], begun: new Set(), all: 0 }
      const ahead = behind.get(socket)
      // What is sent ahead takes no room from the first request of a connection.
      const isFull = ahead
        ? caller.all >= maxWaiting.each || (all >= maxWaiting.all && caller.all >= maxAhead)
        : caller.waiting.length >= maxWaiting.each
      if (isFull) return false
      callers.set(of, caller)
      all += 1
      caller.all += 1
      if (ahead) {
        ahead.push(call)
        if (ahead.length >= maxAhead) socket.pause()
        return true
      }
      behind.set(socket, [])
      caller.waiting.push(call)
      plan()
      return true
    },
  }
}
