import { IOStreamData } from '@qd/protocol/agent'
import { toFileError } from '@qd/protocol/files'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import { keepaliveFrame, toAttachFrame } from '@qd/protocol/stream-frames'
import type { Timing } from '../../config/timing.ts'
import type { Machine } from '../../machine/machine.ts'
import { withTimeout } from '../../machine/waiting.ts'
import type { Stream } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'

/**
 * The stream id in the JSON of a task that opens a stream; its name matches in any case, and is another one in task 20.
 * Errors: throws when there is none. Source: agent contract 3.2.
 */
export const parseStreamTask = (data: string, name: 'streamid' | 'stream_id' | 'host' = 'streamid'): string => {
  const fields: [string, unknown][] = Object.entries(JSON.parse(data))
  const streamId = fields.find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof streamId !== 'string') throw new Error(`a task without ${name}`)
  return streamId
}

/**
 * Terminals and files of a host whose commands are disabled, or that is watch-only. Our server opens the stream and is told why nothing comes; a Nezha server
 * hears nothing, as from Nezha agents.
 */
export const createRefusedStreams = (
  machine: Machine,
  timing: RelayTiming,
  reason: () => RefusalCode,
): Record<'terminal' | 'files', TaskHandler> => {
  const saying =
    (messageOf: (text: string) => Uint8Array): TaskHandler =>
    async (task, { openStream, progress }) => {
      if (!progress) return
      const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
      relay.send(messageOf(refusals[reason()]))
      await relay.end()
    }
  return {
    terminal: saying((text) => Buffer.from(`${text}\r\n`)),
    files: saying(toFileError),
  }
}

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
