import type { TaskResult } from '@qd/protocol/agent'
import type { Hub } from '../../fleet/agents/hub.ts'
import type { Clock } from '../../kernel/ports.ts'

/** Asks agents for something that they answer with one result. */
export interface Questions {
  /** Null if the agent is not connected or was lost; `late` where no answer came in time, ten seconds where nothing else is said. */
  ask(
    serverId: number,
    question: { type: bigint; data: string; patienceMs?: number },
  ): Promise<TaskResult | 'late' | null>
}

/** Existing servers wait as long (agent contract 3.7). */
const usualPatienceMs = 10_000
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
    ask(serverId, { type, data, patienceMs = usualPatienceMs }) {
      const id = nextId++
      return new Promise((resolve) => {
        const cancel = clock.after(patienceMs, () => open.get(id)?.settle('late'))
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
