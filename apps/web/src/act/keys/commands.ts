import type { Cancel } from '@qd/core/api'

/** Runs a command. Returning false passes it to the handler registered before. */
export type Handler = () => unknown

const handlers = new Map<string, Handler[]>()
const listeners = new Set<() => void>()
let version = 0

export const answered = {
  subscribe(listener: () => void): Cancel {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  version: (): number => version,
  has: (id: string): boolean => (handlers.get(id)?.length ?? 0) > 0,
}

function put(id: string, list: Handler[]): void {
  const had = answered.has(id)
  handlers.set(id, list)
  if (had === list.length > 0) return
  version += 1
  for (const listener of listeners) listener()
}

/** Handles a command; the newest handler comes first. Returns the function that removes the handler. */
export function onCommand(id: string, run: Handler): Cancel {
  put(id, [...(handlers.get(id) ?? []), run])
  return () =>
    put(
      id,
      (handlers.get(id) ?? []).filter((handler) => handler !== run),
    )
}

export function onCommands(all: Readonly<Record<string, Handler>>): Cancel {
  const cancels = Object.entries(all).map(([id, run]) => onCommand(id, run))
  return () => {
    for (const cancel of cancels) cancel()
  }
}

export function runCommand(id: string): boolean {
  return [...(handlers.get(id) ?? [])].reverse().some((run) => run() !== false)
}
