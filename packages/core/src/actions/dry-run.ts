import type { ApiPort, Call } from '../define/index.ts'
import { maskSecrets } from './mask.ts'

/** An API that reads and never changes anything: changing calls are kept instead of sent (behaviour C-17). */
export interface DryRun extends ApiPort {
  readonly calls: readonly Call[]
}

/** Puts a dry run in front of a real API. */
export function createDryRun(api: ApiPort): DryRun {
  const calls: Call[] = []
  return {
    calls,
    async send(call) {
      if (call.method === 'GET') return api.send(call)
      calls.push(call)
      return null
    },
  }
}

/** The calls as people and programs read them, secrets masked. */
export function describeCalls({ calls }: Pick<DryRun, 'calls'>): { method: string; path: string; body?: unknown }[] {
  return calls.map(describeCall)
}

/** One line of a call that is not sent: method, path below the server, body without secrets (behaviour C-17). */
export function describeCall({ method, path, query, body }: Call): { method: string; path: string; body?: unknown } {
  const search = query
    ? `?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`
    : ''
  return { method, path: `/api/v1/${path}${search}`, ...(body === undefined ? {} : { body: maskSecrets(body, path) }) }
}
