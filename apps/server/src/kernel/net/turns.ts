import type { IncomingMessage, ServerResponse } from 'node:http'

/** Queued requests: per caller, and of all pipelined ones. */
export const maxWaiting = { each: 2048, all: 4096 } as const
/** Pipelined requests before a connection is paused; always granted. */
const maxAhead = 16
const maxAtOnce = 32
/** Retry interval while all places are taken. */
const retryMs = 10
const unreadMs = 10_000

interface Call {
  of: string
  request: IncomingMessage
  response: ServerResponse
  begin(): void
}

interface Caller {
  waiting: Call[]
  begun: Set<Call>
  all: number
}

/** False while the client sends its body or must read the response. */
const isWorkedOn = ({ request, response }: Call) =>
  !(request.readableFlowing && !request.complete) && !response.writableEnded && !response.writableNeedDrain

const hasPlace = ({ begun }: Caller) => begun.size < maxAtOnce || [...begun].filter(isWorkedOn).length < maxAtOnce

export function createTurns(
  soon: (run: () => void) => void = setImmediate,
  later: (run: () => void) => void = (run) => setTimeout(run, retryMs),
) {
  const callers = new Map<string, Caller>()
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

  /** Starts one request per turn of the event loop. */
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
    // A response on a closed connection may not emit `close`.
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
    /** Starts a request in its turn: one at a time per connection, round robin between callers (`of`). False if too many are waiting. */
    enter(call: Call): boolean {
      const {
        of,
        request: { socket },
      } = call
      // A socket that has closed emits no more events.
      if (socket.destroyed) return true
      const caller = callers.get(of) ?? { waiting: [], begun: new Set(), all: 0 }
      const ahead = behind.get(socket)
      // Pipelined requests must not displace first requests.
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
