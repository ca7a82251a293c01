import type { IOStreamData } from '@qd/protocol/agent'
import { parseAttachFrame } from '@qd/protocol/stream-frames'
import type { Link } from '../streams/stream.ts'
import type { Streams } from '../streams/streams.ts'
import type { AgentStream, StreamHandler } from './service.ts'

const maxPieceBytes = 1024 * 1024

/** An agent's call for a relayed stream: the first message names it, what follows is relayed as it is. Source: agent contract 4. */
export function openIoStream(
  streams: Streams,
  { server, relay, fail }: AgentStream<IOStreamData>,
): StreamHandler<IOStreamData> {
  let link: Link | null = null

  function attach(bytes: Uint8Array) {
    const id = idOf(bytes)
    if (id === null) return fail('invalid stream id')
    const attached = streams.attachAgent(id, server.id, {
      send(data) {
        // No message above 1 MiB (agent contract 4.3).
        let hasRoom = true
        for (let at = 0; at < data.length || at === 0; at += maxPieceBytes) {
          const piece = data.length > maxPieceBytes ? data.subarray(at, at + maxPieceBytes) : data
          hasRoom = relay.send({ data: piece }, piece.length)
        }
        return hasRoom
      },
      flow: relay.flow,
      close: relay.finish,
    })
    if (typeof attached === 'string') fail(attached)
    else link = attached
  }
  return {
    message({ data }) {
      if (link) link.data(data)
      else attach(data)
    },
    halfClosed() {
      if (link) link.gone(true)
      else fail('EOF')
    },
    drained: () => link?.drained(),
    over: () => link?.gone(false),
  }
}

function idOf(frame: Uint8Array): string | null {
  try {
    return parseAttachFrame(frame)
  } catch {
    return null
  }
}
