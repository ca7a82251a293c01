import { AppError } from '@qd/core/errors'
import type { TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../agents/clean-text.ts'
import type { Hub } from '../agents/hub.ts'
import type { Clock } from '../ports.ts'
import { texts } from '../texts.ts'

/** Asks agents for their configuration. */
export interface AgentConfigs {
  /** JSON text as the agent has it (contract http-api 4.16); null if it is not connected. Errors: `failed`. */
  read(serverId: number): Promise<string | null>
}

/** Existing servers wait as long (agent contract 3.7). */
const patienceMs = 10_000
/** Ids of questions count from here, so that they are never those of a run's parts. */
const firstId = 2 ** 40

interface Question {
  serverId: number
  settle(result: TaskResult | null): void
}

/** Each question has its own id, so that a late answer is nobody's and never that of another question (contract http-api 11). */
export function createAgentConfigs({ hub, clock }: { hub: Hub; clock: Clock }): AgentConfigs {
  const questions = new Map<number, Question>()
  let nextId = firstId
  hub.onResult((serverId, result) => {
    const question = questions.get(Number(result.id))
    if (question?.serverId === serverId && result.type === taskType.reportConfig) question.settle(result)
  })
  hub.onLost((serverId) => {
    for (const question of questions.values()) if (question.serverId === serverId) question.settle(null)
  })

  return {
    async read(serverId) {
      const id = nextId++
      const answered = new Promise<TaskResult | null>((resolve, reject) => {
        const cancel = clock.after(patienceMs, () => {
          questions.delete(id)
          reject(new AppError('failed', { text: texts.operationTimeout }))
        })
        questions.set(id, {
          serverId,
          settle(result) {
            cancel()
            questions.delete(id)
            resolve(result)
          },
        })
      })
      if (!hub.send(serverId, { id, type: Number(taskType.reportConfig), data: '' })) questions.get(id)?.settle(null)
      const result = await answered
      if (!result) return null
      if (result.successful) return result.data
      throw new AppError('failed', { text: `${texts.configFailed}: ${cleanOutput(result.data)}` })
    },
  }
}
