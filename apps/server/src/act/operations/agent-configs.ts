import { AppError, agentError } from '@qd/core/errors'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { texts } from '../../kernel/texts.ts'
import type { Questions } from './questions.ts'

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
