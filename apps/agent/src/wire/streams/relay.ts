import { IOStreamData } from '@qd/protocol/agent'
import { keepaliveFrame, toAttachFrame } from '@qd/protocol/stream-frames'
import type { Timing } from '../../config/timing.ts'
import type { Machine } from '../../machine/machine.ts'
import { withTimeout } from '../../machine/waiting.ts'
import type { Stream } from '../rpc.ts'

/** Our end of a relayed stream. */
export interface Relay {
  /** One message. False when the other end is slow: wait for `drained` before the next. */
  send(bytes: Uint8Array): boolean
  drained(): Promise<void>
  /** What the user sends, keepalives left out; ends when the stream is over, however it ended. */
  readonly messages: AsyncGenerator<Uint8Array, void>
  /** Fires when the stream is over, however it ended. */
  readonly over: AbortSignal
  /** Starts a keepalive every 30 s; call it when the target of the stream is ready. */
  keepAlive(): void
  /** Call this when everything is sent: waits a limited time for the server to end the stream. */
  end(): Promise<void>
}

/** Waiting times of relayed streams. */
export type RelayTiming = Pick<Timing, 'streamKeepaliveMs' | 'goodbyeMs'>

/** Tells the server which stream this call is; there is no acknowledgement. Source: agent contract 4.1. */
export const attachRelay = (
  machine: Pick<Machine, 'sleep'>,
  stream: Stream<IOStreamData, IOStreamData>,
  streamId: string,
  timing: RelayTiming,
): Relay => {
  const over = new AbortController()
  void stream.ended.then(() => over.abort())
  const send = (data: Uint8Array) => stream.send(IOStreamData.create({ data }))
  send(toAttachFrame(streamId))
  return {
    send,
    drained: stream.drained,
    over: over.signal,
    messages: (async function* () {
      try {
        for await (const { data } of stream.messages) if (data.length > 0) yield data
      } catch {
        // A stream that was reset counts as ended.
      }
    })(),
    keepAlive: async () => {
      while (!over.signal.aborted) {
        await machine.sleep(timing.streamKeepaliveMs, over.signal)
        send(keepaliveFrame)
      }
    },
    async end() {
      await stream.halfClose()
      await withTimeout(machine, timing.goodbyeMs, stream.ended)
      stream.cancel()
    },
  }
}
