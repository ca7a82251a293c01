import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { watchOnlyHeader } from '@qd/protocol/task-types'
import { isDatabaseAway } from '../../kernel/errors.ts'
import type { ClientAddresses } from '../../kernel/net/client-address.ts'
import { texts } from '../../kernel/texts.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import { CallError, type Identify } from './authenticate.ts'

export interface KnownCaller {
  server: ServerRow
  address: string
  peer: string
  /** Takes only probes. */
  isWatchOnly: boolean
}

export interface CredentialsFirst {
  readonly interceptor: ServerInterceptor
  readonly updateKey: string
  callerOf(metadata: Metadata): KnownCaller
}

/** Authenticates by headers before the body is read (S-53): grpc-js alone buffers up to 4 MB per call first. */
export function createCredentialsFirst(parts: {
  identify: Identify
  clients: Pick<ClientAddresses, 'ofCall'>
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

/** Unexpected errors reveal nothing. Agents try again after `UNAVAILABLE`. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (isDatabaseAway(error)) return new CallError(status.UNAVAILABLE, texts.databaseAway)
  return new CallError(status.UNKNOWN, 'server error')
}
