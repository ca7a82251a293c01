import { parseRefusal } from '@qd/protocol/refusals'
import { AppError, type ErrorParams } from './app-error.ts'

/** Whether a text says that an agent refuses commands, whatever stands before it. Existing agents say so in Chinese. */
export const isCommandRefusal = (text: string): boolean =>
  [text, text.slice(text.indexOf(': ') + 1)].some((said) => parseRefusal(said) === 'commandsDisabled')

/** What an agent answered instead of doing what it was asked to. */
export const agentError = (text: string, params: ErrorParams = {}): AppError =>
  isCommandRefusal(text) ? new AppError('commandsDisabled', params) : new AppError('failed', { ...params, text })
