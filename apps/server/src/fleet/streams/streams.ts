import { Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { progressType } from '@qd/protocol/task-types'
import * as z from 'zod'
import { serverStops } from '../../access/sockets.ts'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { jsonOf } from '../../kernel/json.ts'
import { texts } from '../../kernel/texts.ts'
import type { Hub } from '../agents/hub.ts'
import { type Uploaded, watchFiles } from './file-watch.ts'
import {
  createStream,
  type Ending,
  type Link,
  type Side,
  type Stream,
  type StreamPurpose,
  streamTasks,
} from './stream.ts'

/** See agent contract 4.2. Readings of logs have limits of their own. */
export const maxStreams = { perUser: 20, perServer: 40 }

const shellEnded = z.object({ StreamID: z.string(), exit: z.int().min(0).max(255) })

export type Streams = ReturnType<typeof createStreams>

/** Streams end when their agent is lost, their server moves or is deleted, or their creator is signed out. */
export function createStreams(base: Base, hub: Hub) {
  const { clock, random, servers, sockets, audit } = base
  const open = new Map<string, Stream>()

  const all = (is: (stream: Stream) => boolean) => [...open.values()].filter(is)
  const end = (isMeant: (stream: Stream) => boolean, ending: Ending) => {
    for (const stream of all(isMeant)) stream.end(ending)
  }
  function refuseMore(reason: 'userStreams' | 'serverStreams', count: number, most: number) {
    if (count >= most) throw new AppError('blocked', { reason, text: texts[reason] })
  }

  hub.onLost((serverId) => {
    if (!hub.connected(serverId)) end((stream) => stream.serverId === serverId, 'agent-gone')
  })
  hub.onResult((serverId, { type, data }) => {
    if (type !== progressType.shellEnded) return
    const ended = shellEnded.safeParse(jsonOf(data))
    if (!ended.success) return
    const stream = open.get(ended.data.StreamID)
    if (stream?.serverId === serverId && stream.purpose === 'terminal') stream.exited(ended.data.exit)
  })
  servers.onChange(({ before, after }) => {
    if (before && before.owner_id !== after?.owner_id) end((stream) => stream.serverId === before.id, 'revoked')
  })

  return {
    /**
     * Requests a stream from the agent and returns its ID. `more`: task data; `opening`: what is sent to the agent first; `about`: what the audit
     * says beside the server; `uploaded`: called per uploaded file, and with null at the end. The caller's rights are checked before. Errors: `blocked`.
     */
    create({
      caller,
      serverId,
      purpose,
      more = {},
      opening,
      about = '',
      uploaded = () => {},
    }: {
      caller: Caller
      serverId: number
      purpose: StreamPurpose
      more?: object
      opening?: Uint8Array | undefined
      about?: string
      uploaded?(outcome: Uploaded | null): void
    }): string {
      // NAT visitors have no account and come by the thousand. A reading of logs is one entry, and one socket, for all its hosts.
      const isPart = purpose === 'logs'
      const note: typeof audit.record = (entry) =>
        purpose === 'nat' || isPart ? undefined : audit.record({ ...entry, names: servers.find(serverId)?.name ?? '' })
      const { id: user } = caller.viewer
      if (user !== 0 && !isPart) {
        const own = all((stream) => stream.creator.viewer.id === user && stream.purpose !== 'logs')
        refuseMore('userStreams', own.length, maxStreams.perUser)
      }
      const likeThis = all((stream) => stream.serverId === serverId && (stream.purpose === 'logs') === isPart)
      refuseMore('serverStreams', likeThis.length, maxStreams.perServer)
      const id = streamId(random.bytes(16))
      // Only this task spells it differently (agent contract 11).
      const named = purpose === 'transfer' ? { stream_id: id } : { StreamID: id }
      const task = { id: 0, type: Number(streamTasks[purpose]), data: JSON.stringify({ ...named, ...more }) }
      if (!hub.takes(serverId, task.type)) throw new AppError('watchOnly')
      if (!hub.send(serverId, task)) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
      const stream = createStream({
        id,
        serverId,
        purpose,
        creator: caller,
        opening,
        watch:
          purpose === 'file'
            ? watchFiles({
                note: (action, path) => note({ caller, action, target: `${serverId} ${path}`, result: 'ok' }),
                uploaded,
              })
            : undefined,
        clock,
        isConnected: () => hub.connected(serverId),
        onAttach(attached, isFirst) {
          releaseUser()
          releaseUser = isPart ? () => {} : sockets.add(attached, cutOff)
          const action = `${purpose} ${isFirst ? 'open' : 'attach'}`
          note({ caller: attached, action, target: `${serverId}${about}`, result: 'ok' })
        },
        onEnd(ending) {
          open.delete(id)
          uploaded(null)
          release()
          releaseUser()
          const seconds = Math.round((clock.now() - stream.createdAt) / 1000)
          const target = `${serverId}${about}, ${seconds} s, ${ending}`
          note({ caller, action: `${purpose} end`, target, result: 'ok' })
        },
      })
      const cutOff = (reason: string) => stream.end(reason === serverStops ? 'stop' : 'revoked')
      const release = isPart ? () => {} : sockets.add(caller, cutOff)
      let releaseUser = () => {}
      open.set(id, stream)
      return id
    },
    /** The stream, if the viewer created it or is an administrator. */
    find(id: string, purpose: StreamPurpose, viewer: Viewer): Stream | undefined {
      const stream = open.get(id)
      if (stream?.purpose !== purpose || viewer.id === null || viewer.servers?.includes(stream.serverId) === false)
        return undefined
      return viewer.role === Role.admin || stream.creator.viewer.id === viewer.id ? stream : undefined
    },
    /** The agent's link, or the text to refuse it (agent contract 1.7). */
    attachAgent(id: string, serverId: number, side: Side): Link | string {
      const stream = open.get(id)
      if (stream?.serverId !== serverId) return 'stream not authorized for agent'
      return stream.attachAgent(side) ?? 'agent stream already connected'
    },
    end,
    all: () => [...open.values()],
    count: () => open.size,
    engine: {
      name: 'streams',
      async start() {},
      async stop() {
        end(() => true, 'stop')
      },
    },
  }
}

/** A UUID's form, but all 128 bits random. */
function streamId(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
