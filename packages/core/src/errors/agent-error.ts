import { parseRefusal } from '@qd/protocol/refusals'
import { AppError, type ErrorParams } from './app-error.ts'

/** The error for an agent’s refusal of commands, or of everything but probes; undefined for any other text. */
export function refusalOf(text: string): 'commandsDisabled' | 'watchOnly' | undefined {
  const codes = [text, text.slice(text.indexOf(': ') + 1)].map(parseRefusal)
  return (['commandsDisabled', 'watchOnly'] as const).find((code) => codes.includes(code))
}

export function agentError(text: string, params: ErrorParams = {}): AppError {
  const code = refusalOf(text)
  return code ? new AppError(code, params) : new AppError('failed', { ...params, text })
}
