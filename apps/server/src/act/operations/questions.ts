import { AppError, agentError } from '@qd/core/errors'
import type { TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import type { Hub } from '../../fleet/agents/hub.ts'
import type { Clock } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'

export type Questions = ReturnType<typeof createQuestions>

/** Nezha servers wait as long (agent contract 3.7). */
const defaultTimeoutMs = 10_000
/** Ids of questions count from here, so that they are never those of a run's parts. */
const firstId = 2 ** 40

interface Question {
  serverId: number
  type: bigint
  settle(result: TaskResult | 'timeout' | null): void
}

/** Each question has its own id, so that a late answer is nobody's and never that of another question (contract http-api 11). */
export function createQuestions({ hub, clock }: { hub: Hub; clock: Clock }) {
  const open = new Map<number, Question>()
  let nextId = firstId
  hub.onResult((serverId, result) => {
    const question = open.get(Number(result.id))
    if (question?.serverId === serverId && result.type === question.type) question.settle(result)
  })
  hub.onLost((serverId) => {
    for (const question of open.values()) if (question.serverId === serverId) question.settle(null)
  })
  return {
    /** Null if the agent is offline or the connection was lost; `timeout` after 10 s by default. */
    ask(
      serverId: number,
      { type, data, timeoutMs = defaultTimeoutMs }: { type: bigint; data: string; timeoutMs?: number },
    ): Promise<TaskResult | 'timeout' | null> {
      const id = nextId++
      return new Promise((resolve) => {
        const cancel = clock.after(timeoutMs, () => open.get(id)?.settle('timeout'))
        open.set(id, {
          serverId,
          type,
          settle(result) {
            cancel()
            open.delete(id)
            resolve(result)
          },
        })
        if (!hub.send(serverId, { id, type: Number(type), data })) open.get(id)?.settle(null)
      })
    },
  }
}

export type AgentConfigs = ReturnType<typeof createAgentConfigs>

export function createAgentConfigs({ ask }: Questions) {
  return {
    async read(serverId: number): Promise<string | null> {
      const result = await ask(serverId, { type: taskType.reportConfig, data: '' })
      if (result === 'timeout') throw new AppError('failed', { text: texts.operationTimeout })
      if (!result) return null
      if (result.successful) return result.data
      throw agentError(`${texts.configFailed}: ${cleanOutput(result.data)}`)
    },
  }
}
