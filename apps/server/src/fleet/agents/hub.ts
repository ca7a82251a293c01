import type { Host } from '@qd/core/schemas'
import { TaskResult } from '@qd/protocol/agent'
import { refusals } from '@qd/protocol/refusals'
import { taskType } from '@qd/protocol/task-types'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'

export interface AgentTask {
  id: number
  type: number
  data: string
}

export type AgentHub = Pick<Hub, 'connected' | 'takes' | 'send' | 'disconnect'>

export interface TaskLink {
  send(task: AgentTask): void
  /** Ends the call with an error text (agent contract 1.7). */
  fail(reason: string): void
}

export interface StateLink {
  fail(reason: string): void
}

/** The current streams of each server, newest wins, and their results (agent contract 2.7). */
export type Hub = ReturnType<typeof createHub>

/** Interval of empty tasks (agent contract 2.3). */
const keepaliveMs = 20_000

/** Tasks that the agent doesn't take are answered here as it would itself. */
export function createHub(
  clock: Clock,
  takes: (serverId: number, type: number) => boolean = () => true,
  mayAct: () => boolean = () => true,
) {
  const tasks = new Map<number, TaskLink>()
  const states = new Map<number, StateLink>()
  const results = createListeners<[serverId: number, result: TaskResult]>()
  const lost = createListeners<[serverId: number]>()
  const opened = createListeners<[serverId: number]>()
  let cancel = () => {}

  const beat = () => {
    for (const link of tasks.values()) link.send({ id: 0, type: Number(taskType.keepalive), data: '' })
    cancel = clock.after(keepaliveMs, beat)
  }
  return {
    connected: (serverId: number) => tasks.has(serverId),
    takes,
    send(serverId: number, task: AgentTask): boolean {
      const link = mayAct() ? tasks.get(serverId) : undefined
      if (link && !takes(serverId, task.type)) {
        const refused = TaskResult.create({ id: BigInt(task.id), type: BigInt(task.type), data: refusals.watchOnly })
        // The sender expects no answer before `send` returns.
        queueMicrotask(() => results.notify(serverId, refused))
        return true
      }
      link?.send(task)
      return link !== undefined
    },
    disconnect(serverId: number, reason: string): void {
      tasks.get(serverId)?.fail(reason)
      states.get(serverId)?.fail(reason)
    },
    openTasks(serverId: number, link: TaskLink): void {
      const replaced = tasks.has(serverId)
      tasks.set(serverId, link)
      if (replaced) lost.notify(serverId)
      opened.notify(serverId)
    },
    openStates: (serverId: number, link: StateLink) => void states.set(serverId, link),
    isCurrent: (serverId: number, link: TaskLink | StateLink) =>
      tasks.get(serverId) === link || states.get(serverId) === link,
    /** Returns whether it was the current stream; a newer one stays. */
    closed(serverId: number, link: TaskLink | StateLink): boolean {
      if (states.get(serverId) === link) return states.delete(serverId)
      if (tasks.get(serverId) !== link) return false
      tasks.delete(serverId)
      lost.notify(serverId)
      return true
    },
    result: results.notify,
    onResult: results.add,
    /** The task stream ended or was replaced: no more answers come from it. */
    onLost: lost.add,
    /** A task stream opened; host and version are already reported. */
    onOpened: opened.add,
    start(): void {
      cancel = clock.after(keepaliveMs, beat)
    },
    stop: () => cancel(),
  }
}

/** Whether the agent is ours and knows the tasks of docs/reference/agent-extensions.md. */
export const isOurs = ({ version = '' }: Pick<Host, 'version'>): boolean => version.includes('+qd.')
