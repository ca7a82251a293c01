import type { IOStreamData, Task, TaskResult } from '@qd/protocol/agent'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import { progressType } from '@qd/protocol/task-types'
import type { Stream } from './rpc.ts'

export interface TaskConnection {
  /** Knows docs/reference/agent-extensions.md. */
  isOurs: boolean
  /** Discarded if the connection is gone. */
  send(result: Partial<TaskResult>): void
  openStream(): Stream<IOStreamData, IOStreamData>
}

export interface TaskContext {
  reply(result: Partial<Pick<TaskResult, 'successful' | 'data' | 'delay'>>): void
  /** Undefined if the server doesn’t support progress. */
  progress: ((type: bigint, data: string) => void) | undefined
  openStream: TaskConnection['openStream']
}

export type TaskHandler = (task: Task, context: TaskContext) => void | Promise<void>

/** Our server gets the code, every server the text. */
export const refuse = ({ reply, progress }: Pick<TaskContext, 'reply' | 'progress'>, code: RefusalCode): void => {
  progress?.(progressType.refused, code)
  reply({ data: refusals[code] })
}

export type TaskRunner = (task: Task, connection: TaskConnection) => void

/** Unknown types and failing handlers get no reply (agent contract 3.1). */
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
