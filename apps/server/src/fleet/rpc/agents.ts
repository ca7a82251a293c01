import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import type { Host, IOStreamData } from '@qd/protocol/agent'
import { parseAttachFrame, relayWindowBytes } from '@qd/protocol/stream-frames'
import { agentNews, taskType } from '@qd/protocol/task-types'
import type { Base } from '../../base.ts'
import { peerOf, streams as unauthenticatedStreams } from '../../kernel/net/unauthenticated.ts'
import type { Hub, StateLink, TaskLink } from '../agents/hub.ts'
import type { LiveStore } from '../live/live-store.ts'
import type { Link } from '../streams/stream.ts'
import type { Streams } from '../streams/streams.ts'
import type { CredentialsFirst, KnownCaller } from './credentials-first.ts'
import type { DuplicateAgents } from './duplicate-agents.ts'
import { sensible, toGeoIp, toHost, toState, toUnmeasured } from './figures.ts'
import { type AgentStream, type StreamHandler, serviceDefinition, streaming, unary } from './service.ts'

export interface AgentServiceParts {
  base: Pick<Base, 'servers' | 'clock' | 'unauthenticated'>
  live: LiveStore
  hub: Hub
  streams: Streams
  duplicateAgents: DuplicateAgents
  countryOf(address: string): string
  callers: CredentialsFirst
}

/** The default of Nezha peers (agent contract 1.4). */
const maxMessageBytes = 4 * 1024 * 1024

const options = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_concurrent_streams': unauthenticatedStreams.atOnce,
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
  // Idle connections belong to no agent. Session memory in MiB.
  'grpc.max_connection_idle_ms': 300_000,
  'grpc-node.max_session_memory': 32,
  'grpc.enable_channelz': 0,
}

const gone = 'server not found'
const receipt = { proced: true }

function refused(fail: (reason: string) => void): StreamHandler<unknown> {
  // Deferred: the caller must receive the stream before it can end.
  queueMicrotask(() => fail('another agent is using this configuration'))
  return { message: () => undefined, over: () => undefined }
}

export function createAgentService(parts: AgentServiceParts) {
  const { base, live, hub, streams, duplicateAgents } = parts
  const from = parts.callers
  const figure = sensible(live.droppedFigure)
  const hostOf = (host: Host, { isWatchOnly }: KnownCaller) => ({
    ...toHost(host, figure),
    ...(isWatchOnly && { watch_only: true }),
  })
  const bootTime = BigInt(Math.floor(base.clock.now() / 1000))
  const server = new Server({ ...options, interceptors: [from.interceptor] })
  server.addService(serviceDefinition, {
    ReportSystemInfo2: unary<'ReportSystemInfo2'>(from, ({ id }, host, caller) => {
      live.reportHost(id, hostOf(host, caller))
      return { data: bootTime }
    }),
    ReportSystemInfo: unary<'ReportSystemInfo'>(from, ({ id }, host, caller) => {
      live.reportHost(id, hostOf(host, caller))
      return receipt
    }),
    ReportGeoIP: unary<'ReportGeoIP'>(from, ({ id }, message, { address }) => {
      const geoip = toGeoIp(message, address, parts.countryOf)
      live.reportGeoIp(id, geoip)
      return { use6: false, ip: undefined, country_code: geoip.country_code ?? '', dashboard_boot_time: bootTime }
    }),
    ReportSystemState: streaming<'ReportSystemState'>(from, ({ server: { id }, from: connection, send, fail }) => {
      if (duplicateAgents.refuses(id, connection)) return refused(fail)
      const link: StateLink = { fail }
      hub.openStates(id, link)
      duplicateAgents.opened(id, connection)
      return {
        message(state) {
          if (!base.servers.find(id)) return fail(gone)
          if (!hub.isCurrent(id, link)) return fail('state stream superseded')
          duplicateAgents.reported(id, connection)
          live.reportState(id, toState(state, figure))
          send(receipt)
        },
        over() {
          duplicateAgents.closed(id, connection)
          if (hub.closed(id, link)) live.silent(id)
        },
      }
    }),
    RequestTask: streaming<'RequestTask'>(from, ({ server: { id }, from: connection, send, fail }) => {
      if (duplicateAgents.refuses(id, connection)) return refused(fail)
      const link: TaskLink = {
        send: (task) => send({ id: BigInt(task.id), type: BigInt(task.type), data: task.data }),
        fail,
      }
      hub.openTasks(id, link)
      live.reportUnmeasured(id, { metrics: [], disks: [] })
      return {
        message(result) {
          if (!hub.isCurrent(id, link)) return fail('request task stream superseded')
          if (result.type === agentNews.unmeasured) live.reportUnmeasured(id, toUnmeasured(result.data))
          else if (result.type !== taskType.keepalive) hub.result(id, result)
        },
        over: () => void hub.closed(id, link),
      }
    }),
    IOStream: streaming<'IOStream'>(from, (stream) => {
      windows.widen(stream.from.peer)
      return openIoStream(streams, stream)
    }),
  })
  const unlisten = base.servers.onChange(({ before, after }) => {
    if (after || !before) return
    hub.disconnect(before.id, gone)
    live.forget(before.id)
  })
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  const windows = createRelayWindows(server, base.unauthenticated.watch)
  const connections = new Set<Duplex>()
  return {
    accept(socket: Duplex): void {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
      injector.injectConnection(socket)
    },
    /** Drains and cuts connections after `graceMs`. Resolves when all are closed. */
    async stop(graceMs: number): Promise<void> {
      unlisten()
      injector.drain(graceMs)
      await Promise.all([...connections].map((socket) => new Promise((gone) => socket.once('close', gone))))
    },
  }
}

const maxPieceBytes = 1024 * 1024

/** A relayed stream: the first message names it, the rest is passed through (agent contract 4). */
function openIoStream(
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

/** Connections start with HTTP/2's window of 64 KiB, enough for reports; the first relayed stream widens it. Call it after the injector was created. */
function createRelayWindows(server: Server, onSession: (session: ServerHttp2Session) => void) {
  const sessions = new Map<string, ServerHttp2Session>()
  // grpc-js sets windows only for clients and hides its sessions.
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2 of http2Servers.keys())
    http2.on('session', (session) => {
      const peer = peerOf(session.socket)
      sessions.set(peer, session)
      onSession(session)
      session.once('close', () => sessions.delete(peer))
    })
  return {
    widen(peer: string): void {
      const session = sessions.get(peer)
      if (!session || session.closed || session.destroyed) return
      sessions.delete(peer)
      session.setLocalWindowSize(relayWindowBytes)
      session.settings({ initialWindowSize: relayWindowBytes })
    },
  }
}
