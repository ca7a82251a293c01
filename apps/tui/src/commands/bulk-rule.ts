import type { Action } from '@qd/core/define'

/** True for an action that is sent once for each record, so that it can fail on some of them. */
export function callsForEach({ wire, waits }: Action): boolean {
  return waits || (wire?.path.includes('{id}') ?? false)
}
