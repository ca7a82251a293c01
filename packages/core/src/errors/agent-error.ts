import { parseRefusal } from '@qd/protocol/refusals'
import { AppError, type ErrorParams } from './app-error.ts'

/** The error that stands for an agent’s refusal of everything but probes, or of commands, whatever stands before its text; undefined for any other text. Existing agents say so in Chinese. */
export function refusalOf(text: string): 'commandsDisabled' | 'watchOnly' | undefined {
  const codes = [text, text.slice(text.indexOf(': ') + 1)].map(parseRefusal)
  return (['commandsDisabled', 'watchOnly'] as const).find((code) => codes.includes(code))
}

/** What an agent answered instead of doing what it was asked to. */
export function agentError(text: string, params: ErrorParams = {}): AppError {
  const code = refusalOf(text)
  return code ? new AppError(code, params) : new AppError('failed', { ...params, text })
}
