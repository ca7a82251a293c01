import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait: of one address, of all, and of an address when there is no room for more of all. */
export const bounds = { ofAddress: 2048, ofAll: 4096, always: 16 } as const
/** A connection that has sent so many ahead of their answers is not read from until they are answered. */
const mostAhead = 16
/** Requests of one address that are worked on at the same time. */
const atOnce = 32

/** In whose turn a request is begun. */
export interface Turns {
  /**
   * Begins a request when it is its turn: the requests of one connection one after the other, those of all addresses in
   * rounds, one of each. False if too many wait already.
   */
  enter(request: { socket: Socket; address: string; response: ServerResponse; begin(): void }): boolean
}

interface Entry {
  socket: Socket
  line: Line
  response: ServerResponse
  begin(): void
}

interface Line {
  address: string
  waiting: Entry[]
  /** Waiting here or behind another request of the same connection. */
  all: number
  running: number
}

/** Fair turns for requests (issue 11.2, S-54). `soon` calls in the next turn of the event loop. */
export function createTurns(soon: (run: () => void) => void = setImmediate): Turns {
  const lines = new Map<string, Line>()
  const behind = new WeakMap<Socket, Entry[]>()
  let all = 0
  let startable = 0
  let isPlanned = false
  let startedThisTurn = false

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    soon(() => {
      isPlanned = false
      startedThisTurn = false
      round()
    })
  }

  /** Begins the next request of whose turn it is; the others come after whatever else has happened meanwhile. */
  function round(): void {
    for (const line of lines.values()) {
      if (line.running >= atOnce) continue
      const entry = line.waiting.shift()
      if (!entry) continue
      startable -= 1
      lines.delete(line.address)
      lines.set(line.address, line)
      if (!entry.socket.destroyed) begin(entry)
      else over(entry)
      plan()
      return
    }
  }

  function begin(entry: Entry): void {
    const { line, response, socket } = entry
    startedThisTurn = true
    line.running += 1
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      socket.off('close', end)
      line.running -= 1
      over(entry)
      if (startable > 0) plan()
    }
    response.once('close', end)
    // The answer to a connection that is gone may never hear of it.
    socket.once('close', end)
    plan()
    entry.begin()
  }

  function over({ socket, line }: Entry): void {
    all -= 1
    line.all -= 1
    const following = behind.get(socket)
    const next = following?.shift()
    if (next) wait(next)
    else {
      behind.delete(socket)
      if (socket.isPaused()) socket.resume()
    }
    if (line.all === 0) lines.delete(line.address)
  }

  function wait(entry: Entry): void {
    entry.line.waiting.push(entry)
    startable += 1
    plan()
  }

  return {
    enter({ socket, address, response, begin: start }) {
      const line = lines.get(address) ?? { address, waiting: [], all: 0, running: 0 }
      const following = behind.get(socket)
      if (line.all >= bounds.ofAddress || (all >= bounds.ofAll && line.all >= bounds.always)) return false
      lines.set(address, line)
      const entry: Entry = { socket, line, response, begin: start }
      all += 1
      line.all += 1
      if (following) {
        following.push(entry)
        if (following.length >= mostAhead) socket.pause()
        return true
      }
      behind.set(socket, [])
      if (startedThisTurn || startable > 0 || line.running >= atOnce) wait(entry)
      else begin(entry)
      return true
    },
  }
}
