import type { ApiPort, Call } from '@qd/core/define'
import { describeCall } from './connection.ts'

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
export function describeCalls({ calls }: DryRun): { method: string; path: string; body?: unknown }[] {
  return calls.map(describeCall)
}
