import type { Socket } from 'node:net'
import { streamClose, toEndReason } from '@qd/protocol/stream-close'
import type { RawData, WebSocket } from 'ws'
import type { Link, UserSide } from '../../fleet/streams/stream.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'

/** Bytes that wait for a slow reader before the agent is held back. */
const maxUnsentBytes = 256 * 1024
/** Bytes of one message to a client. Source: agent contract 4.3. */
const maxMessageBytes = 1024 * 1024
const pingMs = 10_000
/** Pings without any sign of life before the connection counts as lost. */
const maxSilentPings = 6
/** How long a peer may take to show that it is there. */
const answerMs = 2000
/** How long a client has to read what is left and to answer the close. */
const closeMs = 5000

/** The prefix that makes text keyboard input. Source: contract http-api 5.4. */
const inputPrefix = Buffer.of(0)

/** A websocket as the user's end of a stream. `hasCodes`: it speaks our subprotocol, so that it is told why it is closed. */
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
  let silentPings = 0
  let isHeld = false
  let cancelPing = () => {}

  const alive = () => {
    silentPings = 0
  }
  /** What we do not read cannot tell us that it is alive, and is not asked. */
  function ping() {
    if (!isHeld) silentPings += 1
    if (silentPings > maxSilentPings) return ws.terminate()
    ws.ping()
    cancelPing = clock.after(pingMs, ping)
  }
  function flow(isOn: boolean) {
    isHeld = !isOn
    if (isOn) ws.resume()
    else ws.pause()
  }
  flow(false)
  // The peer broke the protocol, and ws has answered with the right code (1009 for too large a message).
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
      // The end that Nezha clients know: no close frame, after all output.
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
      ws.on('message', (data: RawData, isBinary) => {
        alive()
        const bytes = data as Buffer
        if (!isBinary) to.data(Buffer.concat([inputPrefix, bytes]))
        else if (bytes.length > 0) to.data(bytes)
      })
      ws.on('pong', alive)
      socket.on('drain', () => {
        alive()
        to.drained()
      })
      ws.on('close', (code) => {
        cancelPing()
        to.gone(code !== lost)
      })
      cancelPing = clock.after(pingMs, ping)
    },
  }
}

/** The code of a connection that ended without a close frame. */
const lost = 1006
