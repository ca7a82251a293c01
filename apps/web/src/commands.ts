import type { Cancel } from '@qd/core/api'

/** Does what a command says; false passes it on to whoever registered before. */
export type Handler = () => unknown

const handlers = new Map<string, Handler[]>()

/** Answers a command while the caller is on screen; the newest handler is asked first. The answer takes it away. */
export function onCommand(id: string, run: Handler): Cancel {
  const list = handlers.get(id) ?? []
  handlers.set(id, [...list, run])
  return () =>
    handlers.set(
      id,
      (handlers.get(id) ?? []).filter((handler) => handler !== run),
    )
}

/** Registers several at once. */
export function onCommands(all: Readonly<Record<string, Handler>>): Cancel {
  const cancels = Object.entries(all).map(([id, run]) => onCommand(id, run))
  return () => {
    for (const cancel of cancels) cancel()
  }
}

/** True when somebody answered. */
export function runCommand(id: string): boolean {
  return [...(handlers.get(id) ?? [])].reverse().some((run) => run() !== false)
}
