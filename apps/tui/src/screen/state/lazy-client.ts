import type { Client } from '@qd/core/api'
import type { Call } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Connection } from '../../base/connect/connection.ts'

/** A client before there is a connection, so that the first frame waits for nothing. */
export interface LazyClient extends Client {
  /** The connection; made at the first call, and again after one that failed. */
  open(): Promise<Connection>
  /** The connection when there is one. */
  readonly connection: Connection | null
}

/** Changes are refused with this reason while `readOnly` (behaviour T-26); signing in and out are none, nor are questions. */
const unchanging = ['login', 'logout', 'refresh-token', 'alert-rule/backtest']

/** Builds a client over a connection that `connect` makes when it is needed. */
export function createLazyClient(connect: () => Promise<Connection>, { readOnly }: { readOnly: boolean }): LazyClient {
  let opening: Promise<Connection> | null = null
  let connection: Connection | null = null
  const open = (): Promise<Connection> => {
    opening ??= connect().then(
      (made) => {
        connection = made
        return made
      },
      (thrown: unknown) => {
        opening = null
        throw thrown
      },
    )
    return opening
  }
  const refuse = ({ method, path }: Call) => {
    if (readOnly && method !== 'GET' && !unchanging.includes(path))
      throw new AppError('blocked', { reason: 'readOnly' })
  }
  return {
    open,
    get connection() {
      return connection
    },
    async send(call, options) {
      refuse(call)
      return (await open()).client.send(call, options)
    },
    list: async (...args) => (await open()).client.list(...args),
    get: async (...args) => (await open()).client.get(...args),
    login: async (...args) => (await open()).signIn(...args),
    claim: async (...args) => (await open()).claim(...args),
    logout: async () => (await open()).signOut(),
    capabilities: async () => (await open()).client.capabilities(),
    socketHeaders: () => connection?.client.socketHeaders() ?? {},
    idle: async () => connection?.client.idle(),
  }
}
