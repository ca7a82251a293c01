import type { IOStreamData, Task, TaskResult } from '@qd/protocol/agent'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import { progressType } from '@qd/protocol/task-types'
import type { Stream } from './rpc.ts'

/** The connection that a task came over. */
export interface TaskConnection {
  /** Whether the server understands the results of docs/reference/agent-extensions.md. */
  isOurs: boolean
  /** Discards the result if the connection is gone, because a server would ignore a late result. */
  send(result: Partial<TaskResult>): void
  /** A new relayed stream on the same connection, which ends with it. */
  openStream(): Stream<IOStreamData, IOStreamData>
}

/** What a task can do to answer. */
export interface TaskContext {
  /** The final result; id and type are the task's. */
  reply(result: Partial<Pick<TaskResult, 'successful' | 'data' | 'delay'>>): void
  /** Reports progress of a running task; undefined if the server does not understand progress. */
  progress: ((type: bigint, data: string) => void) | undefined
  openStream: TaskConnection['openStream']
}

/** Carries out one kind of task. */
export type TaskHandler = (task: Task, context: TaskContext) => void | Promise<void>

/** Refuses a task: our server gets the reason’s code, and every server its text. */
export const refuse = ({ reply, progress }: Pick<TaskContext, 'reply' | 'progress'>, code: RefusalCode): void => {
  progress?.(progressType.refused, code)
  reply({ data: refusals[code] })
}

/** Takes a task that has arrived; never throws. */
export type TaskRunner = (task: Task, connection: TaskConnection) => void

/** Runs tasks in parallel. A task of an unknown type, or one whose handler fails, gets no reply. Source: agent contract 3.1. */
export const createTaskRunner =
  (handlers: ReadonlyMap<bigint, TaskHandler>, onFailure: (error: unknown) => void): TaskRunner =>
  (task, { isOurs, send, openStream }) => {
    const context: TaskContext = {
      reply: (result) => send({ ...result, id: task.id, type: task.type }),
      progress: isOurs ? (type, data) => send({ id: task.id, type, data }) : undefined,
      openStream,
    }
    void Promise.resolve()
      .then(() => handlers.get(task.type)?.(task, context))
      .catch(onFailure)
  }
