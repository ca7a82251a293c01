import type { Socket } from 'node:net'
import { streamClose, toEndReason } from '@qd/protocol/stream-close'
import type { RawData, WebSocket } from 'ws'
import type { Link, UserSide } from '../../fleet/streams/stream.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'
import { keepAlive } from './upgrades.ts'

/** Unsent bytes before the agent is paused. */
const maxUnsentBytes = 256 * 1024
/** See agent contract 4.3. */
const maxMessageBytes = 1024 * 1024
const pingMs = 10_000
/** Unanswered pings until the connection counts as lost. */
const maxSilentPings = 6
const answerMs = 2000
const closeMs = 5000

/** Marks text as keyboard input (contract http-api 5.4). */
const inputPrefix = Buffer.of(0)

export function createUserSide(parts: {
  ws: WebSocket
  socket: Socket
  caller: Caller
  comesBack: boolean
  hasCodes: boolean
  received: number
  clock: Clock
}): UserSide & { start(link: Link): void } {
  const { ws, socket, caller, comesBack, hasCodes, received, clock } = parts
  let link: Link | null = null
  let isHeld = false
  function flow(isOn: boolean) {
    isHeld = !isOn
    if (isOn) ws.resume()
    else ws.pause()
  }
  flow(false)
  // ws has answered a protocol violation with its close code.
  ws.on('error', () => link?.gone(true))

  return {
    caller,
    comesBack,
    received,
    flow,
    send(bytes) {
      for (let at = 0; at < bytes.length; at += maxMessageBytes)
        ws.send(bytes.subarray(at, at + maxMessageBytes), { binary: true })
      return ws.bufferedAmount < maxUnsentBytes
    },
    close(ending, exit = null) {
      if (ws.readyState !== ws.OPEN) return
      flow(true)
      if (ending === 'stop') ws.close(1001)
      else if (hasCodes && ending !== 'left')
        ws.close(streamClose[ending], exit === null ? ending : toEndReason(ending, exit))
      // What Nezha clients expect: no close frame, after all output.
      else socket.end()
      ws.once(
        'close',
        clock.after(closeMs, () => ws.terminate()),
      )
    },
    answers() {
      if (ws.readyState !== ws.OPEN) return Promise.resolve(false)
      if (isHeld) return Promise.resolve(true)
      return new Promise((resolve) => {
        const cancel = clock.after(answerMs, () => resolve(false))
        ws.once('pong', () => {
          cancel()
          resolve(true)
        })
        ws.ping()
      })
    },
    start(to) {
      link = to
      const alive = keepAlive(ws, clock, { everyMs: pingMs, maxSilent: maxSilentPings, isHeld: () => isHeld })
      ws.on('message', (data: RawData, isBinary) => {
        alive()
        const bytes = data as Buffer
        if (!isBinary) to.data(Buffer.concat([inputPrefix, bytes]))
        else if (bytes.length > 0) to.data(bytes)
      })
      socket.on('drain', () => {
        alive()
        to.drained()
      })
      ws.on('close', (code) => to.gone(code !== lost))
    },
  }
}

/** Closed without a close frame. */
const lost = 1006
