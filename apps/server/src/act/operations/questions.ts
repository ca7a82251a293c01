import { AppError, agentError } from '@qd/core/errors'
import type { TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import type { Hub } from '../../fleet/agents/hub.ts'
import type { Clock } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'

export interface Questions {
  /** Null if the agent is offline or the connection was lost; `timeout` after 10 s by default. */
  ask(
    serverId: number,
    question: { type: bigint; data: string; timeoutMs?: number },
  ): Promise<TaskResult | 'late' | null>
}

/** Nezha servers wait as long (agent contract 3.7). */
const defaultTimeoutMs = 10_000
/** Ids of questions count from here, so that they are never those of a run's parts. */
const firstId = 2 ** 40

interface Question {
  serverId: number
  type: bigint
  settle(result: TaskResult | 'late' | null): void
}

/** Each question has its own id, so that a late answer is nobody's and never that of another question (contract http-api 11). */
export function createQuestions({ hub, clock }: { hub: Hub; clock: Clock }): Questions {
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
    ask(serverId, { type, data, timeoutMs = defaultTimeoutMs }) {
      const id = nextId++
      return new Promise((resolve) => {
        const cancel = clock.after(timeoutMs, () => open.get(id)?.settle('late'))
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

/** Asks agents for their configuration. */
export interface AgentConfigs {
  /** JSON text as the agent has it (contract http-api 4.16); null if it is not connected. Errors: `failed`. */
  read(serverId: number): Promise<string | null>
}

/** Asks by task 12. */
export function createAgentConfigs({ ask }: Questions): AgentConfigs {
  return {
    async read(serverId) {
      const result = await ask(serverId, { type: taskType.reportConfig, data: '' })
      if (result === 'late') throw new AppError('failed', { text: texts.operationTimeout })
      if (!result) return null
      if (result.successful) return result.data
      throw agentError(`${texts.configFailed}: ${cleanOutput(result.data)}`)
    },
  }
}
