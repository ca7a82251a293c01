import { IOStreamData } from '@qd/protocol/agent'
import { toFileError } from '@qd/protocol/files'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import { keepaliveFrame, toAttachFrame } from '@qd/protocol/stream-frames'
import type { Timing } from '../../config/timing.ts'
import type { Connection, Machine } from '../../machine/machine.ts'
import { withTimeout } from '../../machine/waiting.ts'
import { type Stream, toReason } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'

/** Names match in any case; task 20 uses another (agent contract 3.2). Errors: throws if it is missing. */
export const parseStreamTask = (data: string, name: 'streamid' | 'stream_id' | 'host' = 'streamid'): string => {
  const fields: [string, unknown][] = Object.entries(JSON.parse(data))
  const streamId = fields.find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof streamId !== 'string') throw new Error(`a task without ${name}`)
  return streamId
}

/** Terminals and files of a locked host: our server gets the reason, a Nezha server nothing, as from its agents. */
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

export type Relay = ReturnType<typeof attachRelay>

export type RelayTiming = Pick<Timing, 'streamKeepaliveMs' | 'goodbyeMs'>

/** Without acknowledgement (agent contract 4.1). */
export const attachRelay = (
  machine: Pick<Machine, 'sleep'>,
  stream: Stream<IOStreamData, IOStreamData>,
  streamId: string,
  timing: RelayTiming,
) => {
  const over = new AbortController()
  void stream.ended.then(() => over.abort())
  const send = (data: Uint8Array) => stream.send(IOStreamData.create({ data }))
  send(toAttachFrame(streamId))
  return {
    send,
    drained: stream.drained,
    over: over.signal,
    /** Without keepalives; ends with the stream. */
    messages: (async function* () {
      try {
        for await (const { data } of stream.messages) if (data.length > 0) yield data
      } catch {}
    })(),
    keepAlive: async (): Promise<void> => {
      while (!over.signal.aborted) {
        await machine.sleep(timing.streamKeepaliveMs, over.signal)
        send(keepaliveFrame)
      }
    },
    /** Waits a limited time for the server to end the stream. */
    async end(): Promise<void> {
      await stream.halfClose()
      await withTimeout(machine, timing.goodbyeMs, stream.ended)
      stream.cancel()
    },
  }
}

async function toVisitor(target: Connection, relay: Relay): Promise<void> {
  for await (const bytes of target.messages) if (!relay.send(bytes)) await relay.drained()
}

async function toTarget(relay: Relay, target: Connection): Promise<void> {
  for await (const bytes of relay.messages) await target.write(bytes)
}

/** Task 9: relays a visitor’s connection. An unreachable target ends the stream. Unlike Nezha’s, this agent sends no "EOF" at the end (agent contract 7.2). */
export const createNatHandler =
  (machine: Machine, timing: RelayTiming): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
    const host = parseStreamTask(task.data, 'host')
    try {
      const target = await machine.openConnection(host)
      void relay.keepAlive()
      try {
        await Promise.race([toVisitor(target, relay), toTarget(relay, target)])
      } finally {
        target.close()
      }
    } catch (error) {
      machine.log(`connection to ${host} failed: ${toReason(error)}`)
    }
    await relay.end()
  }
