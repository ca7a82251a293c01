import { AppError, agentError } from '@qd/core/errors'
import { versionOrder } from '@qd/core/targets'
import { type FileAbility, fileAbilities } from '@qd/protocol/files'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { isOurs } from '../../fleet/agents/hub.ts'
import { texts } from '../../kernel/texts.ts'
import type { Questions } from './questions.ts'

/** As Nezha (agent contract 3.10). A checksum reads the whole file. */
const timeoutMs = 30_000
const checksumTimeoutMs = 300_000
/** Nezha agents know tasks 15 to 20 from this version (agent contract 3.10). */
const withTasks = '2.1.0'

/** File abilities besides list, download and upload. Empty version: none. */
export function abilitiesOf(version: string): readonly FileAbility[] {
  if (isOurs({ version })) return fileAbilities
  return (versionOrder(version || '0.0.0', withTasks) ?? -1) >= 0 ? ['details', 'read', 'delete', 'checksum'] : []
}

export interface WrittenFile {
  content: string
  encoding: 'utf8' | 'base64'
  /** Octal text. */
  mode?: string
  if_match_sha256?: string
  create_dirs?: boolean
}

/** Maximum message to an agent (agent contract 1.4). */
const maxTaskBytes = 4 * 1024 * 1024 - 1024

/** File operations that an agent answers with one result. Errors: `failed` in the agent's words, `agentOffline`, `timeout`. */
export function createAgentFiles({ ask }: Questions) {
  async function question(serverId: number, type: bigint, request: object, wait = timeoutMs) {
    const result = await ask(serverId, { type, data: JSON.stringify(request), timeoutMs: wait })
    if (result === 'timeout') throw new AppError('timeout', { seconds: wait / 1000, text: texts.operationTimeout })
    if (!result) throw new AppError('agentOffline')
    const fail = (text: unknown) => agentError(cleanOutput(String(text)))
    if (!result.successful) throw fail(result.data)
    const answer = readAnswer(result.data)
    if (typeof answer.error === 'string' && answer.error !== '') throw fail(answer.error)
    return answer
  }
  return {
    async details(serverId: number, path: string, hides = false) {
      const answer = await question(serverId, taskType.listFiles, { path, show_hidden: !hides })
      return { ...answer, path, entries: answer.entries ?? [] }
    },
    read: (
      serverId: number,
      path: string,
      range: { offset: number; length: number; encoding?: 'utf8' | 'base64' },
    ): Promise<unknown> => question(serverId, taskType.readFile, { path, encoding: 'base64', ...range }),
    /** Errors: `tooLarge` (`limit`, bytes) if it exceeds one message. */
    async write(serverId: number, path: string, file: WrittenFile): Promise<unknown> {
      const request = { path, ...file }
      if (Buffer.byteLength(JSON.stringify(request)) > maxTaskBytes)
        throw new AppError('tooLarge', { limit: maxTaskBytes, text: texts.writeTooLarge })
      return question(serverId, taskType.writeFile, request)
    },
    remove: (serverId: number, path: string, recursive: boolean) =>
      question(serverId, taskType.deleteFiles, { path, recursive }),
    checksum: (serverId: number, path: string) =>
      question(serverId, extensionTask.checksum, { path }, checksumTimeoutMs),
  }
}

function readAnswer(data: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(data) as Readonly<Record<string, unknown>>
  } catch {
    throw new AppError('failed', { text: cleanOutput(data) })
  }
}
