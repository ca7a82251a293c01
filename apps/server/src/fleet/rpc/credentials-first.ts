import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { watchOnlyHeader } from '@qd/protocol/task-types'
import type { ClientAddresses } from '../../kernel/net/client-address.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import { CallError, type Identify } from './authenticate.ts'

/** An agent whose credentials were good. */
export interface KnownCaller {
  server: ServerRow
  /** The agent's address: its connection's, or what a trusted proxy says. */
  address: string
  /** `address:port` of its connection. */
  peer: string
  /** Whether it takes nothing but probes. */
  isWatchOnly: boolean
}

/** The judge of all calls. */
export interface CredentialsFirst {
  readonly interceptor: ServerInterceptor
  /** The public key by which this server signs agents. */
  readonly updateKey: string
  /** Who a call is from, by the metadata that its handler was given. */
  callerOf(metadata: Metadata): KnownCaller
}

/**
 * Judges a call by its headers: who has no right secret is answered before a byte of the body is asked for (S-53). The
 * library by itself collects up to 4 MB for each call before its handler sees the headers.
 */
export function createCredentialsFirst(parts: {
  identify: Identify
  clients: Pick<ClientAddresses, 'ofCall'>
  /** A call on the connection from `address:port` had valid credentials. */
  authenticated(peer: string): void
  updateKey: string
}): CredentialsFirst {
  const { identify, clients, authenticated, updateKey } = parts
  const callers = new WeakMap<Metadata, KnownCaller>()
  return {
    updateKey,
    callerOf: (metadata) => callers.get(metadata)!,
    interceptor: (_method, call) =>
      new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata(metadata, proceed) {
              const peer = call.getPeer()
              const header = (name: string) => metadata.get(name).join(', ') || undefined
              const address = clients.ofCall(peer.replace(/:\d+$/, ''), header)
              identify(metadata, address).then(
                (server) => {
                  callers.set(metadata, {
                    server,
                    address,
                    peer,
                    isWatchOnly: metadata.get(watchOnlyHeader).length > 0,
                  })
                  authenticated(peer)
                  proceed(metadata)
                },
                (error: unknown) => {
                  const { code, details } = toCallError(error)
                  call.sendStatus({ code, details })
                },
              )
            },
          }),
      }),
  }
}

/** What ends a call: what was thrown on purpose, or a failure that tells nothing. */
export const toCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError(status.UNKNOWN, 'server error')
