import type { AddressInfo } from 'node:net'
import { Refusal } from '../refusal.ts'
import { createPort, type Port, type PortParts } from './port.ts'

/** Where to listen, as flags and environment say it. */
type Place = Pick<PortParts, 'host' | 'port'> & { tls: { cert: string; key: string } | null }

/** Opens the port that the configuration names. Errors: Refusal if it is taken or cannot be listened on. */
export async function listen({ host, port, tls }: Place, handlers: Omit<PortParts, keyof Place>): Promise<Port> {
  try {
    return await createPort({ host, port, tls, ...handlers })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Refusal(`port ${port} on ${host} is already in use; choose another one with --port`, { cause: error })
    throw new Refusal(`cannot listen on ${host} port ${port}: ${message}`, { cause: error })
  }
}

/** Where this machine reaches the server, e.g. `http://127.0.0.1:8008`. */
export function originOf({ host, tls }: Place, { port }: AddressInfo): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}
