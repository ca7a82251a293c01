import type { Host } from '@qd/core/schemas'
import { TaskResult } from '@qd/protocol/agent'
import { refusals } from '@qd/protocol/refusals'
import { taskType } from '@qd/protocol/task-types'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'

/** One task for an agent, as the protocol has it. `id` is the run item's id. */
export interface AgentTask {
  id: number
  type: number
  data: string
}

/** Connected agents. Built by rpc/. */
export interface AgentHub {
  connected(serverId: number): boolean
  /** Whether the agent takes tasks of this type at all. */
  takes(serverId: number, type: number): boolean
  /** Writes to the agent's stream; false if there is none. */
  send(serverId: number, task: AgentTask): boolean
  /** Ends the agent's streams, e.g. after its record was deleted. */
  disconnect(serverId: number, reason: string): void
}

/** An agent's open task stream. */
export interface TaskLink {
  send(task: AgentTask): void
  /** Ends the call with an error text (agent contract 1.7). */
  fail(reason: string): void
}

/** An agent's open state stream. */
export interface StateLink {
  fail(reason: string): void
}

/** Which streams are the current ones of each server, newest wins, and what comes over them. Source: agent contract 2.7. */
export interface Hub extends AgentHub {
  openTasks(serverId: number, link: TaskLink): void
  openStates(serverId: number, link: StateLink): void
  isCurrent(serverId: number, link: TaskLink | StateLink): boolean
  /** To be called when a stream is over; a newer stream of the same server is not touched. True if it was the current one. */
  closed(serverId: number, link: TaskLink | StateLink): boolean
  result(serverId: number, result: TaskResult): void
  onResult(listen: (serverId: number, result: TaskResult) => void): void
  /** The task stream is gone or was replaced: answers to what was sent over it will not come. */
  onLost(listen: (serverId: number) => void): void
  /** A task stream was opened; its agent has said before what machine and version it is. */
  onOpened(listen: (serverId: number) => void): void
  start(): void
  stop(): void
}

/** Each task stream gets an empty task this often (agent contract 2.3). */
const keepaliveMs = 20_000

/** An empty hub. What an agent doesn’t take (`takes`) is not sent, and answered as the agent itself would. */
export function createHub(clock: Clock, takes: (serverId: number, type: number) => boolean = () => true): Hub {
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
    connected: (serverId) => tasks.has(serverId),
    takes,
    send(serverId, task) {
      const link = tasks.get(serverId)
      if (link && !takes(serverId, task.type)) {
        const refused = TaskResult.create({ id: BigInt(task.id), type: BigInt(task.type), data: refusals.watchOnly })
        // Whoever sends it does not expect the answer before it has sent it.
        queueMicrotask(() => results.notify(serverId, refused))
        return true
      }
      link?.send(task)
      return link !== undefined
    },
    disconnect(serverId, reason) {
      tasks.get(serverId)?.fail(reason)
      states.get(serverId)?.fail(reason)
    },
    openTasks(serverId, link) {
      const replaced = tasks.has(serverId)
      tasks.set(serverId, link)
      if (replaced) lost.notify(serverId)
      opened.notify(serverId)
    },
    openStates: (serverId, link) => void states.set(serverId, link),
    isCurrent: (serverId, link) => tasks.get(serverId) === link || states.get(serverId) === link,
    closed(serverId, link) {
      if (states.get(serverId) === link) return states.delete(serverId)
      if (tasks.get(serverId) !== link) return false
      tasks.delete(serverId)
      lost.notify(serverId)
      return true
    },
    result: results.notify,
    onResult: results.add,
    onLost: lost.add,
    onOpened: opened.add,
    start() {
      cancel = clock.after(keepaliveMs, beat)
    },
    stop: () => cancel(),
  }
}

/** Whether a host runs an agent of ours, which knows the tasks of docs/reference/agent-extensions.md. */
export const isOurs = ({ version = '' }: Pick<Host, 'version'>): boolean => version.includes('+qd.')
