import { createHash } from 'node:crypto'
import {
  type CollectFailure,
  type CollectorName,
  collectedFrom,
  collectFailures,
  collectLimits,
  collectors,
  collectUnchanged,
  isCollectorName,
  scriptOf,
} from '@qd/protocol/collectors'
import type { Machine } from '../machine/machine.ts'
import { withTimeout } from '../machine/waiting.ts'
import type { TaskHandler } from '../wire/runner.ts'

/** What a collector printed, or why there is nothing. */
type Collected = { successful: true; data: string } | { successful: false; data: CollectFailure }

const failed = (reason: keyof typeof collectFailures): Collected => ({
  successful: false,
  data: collectFailures[reason],
})

/** Some of what a list is made from has no file that is looked at. */
const keptForMs = 6 * 60 * 60 * 1000

/** Whether a collector leaves out what the agent still has. */
const keeps = (name: CollectorName): boolean => collectors[name].includes('$kept')

interface Kept {
  stamp: string
  rest: string
  at: number
}

const parseTask = (data: string): { collector?: unknown; known?: unknown } => {
  try {
    return (JSON.parse(data) as object | null) ?? {}
  } catch {
    return {}
  }
}

/**
 * Task 1120: runs one of the agent’s own scripts. Whoever asks for a collector that is running gets the same reading. `stop` ends the
 * scripts that run. `isLocked`: the host runs no commands. Source: docs/reference/agent-extensions.md.
 */
export const createCollectHandler = (
  machine: Machine,
  stop: AbortSignal,
  { isLocked = () => false, ...given }: Partial<typeof collectLimits> & { isLocked?: () => boolean } = {},
): TaskHandler => {
  const limits = { ...collectLimits, ...given }
  const running = new Map<CollectorName, Promise<Collected>>()
  /** What collectors printed that say what they made it from. */
  const kept = new Map<CollectorName, Kept>()

  /** The whole output, if the script left out `before`. `isWhole`: the script came to its end. */
  function completed(name: CollectorName, text: string, isWhole: boolean, before: Kept | undefined): string {
    if (!keeps(name)) return text
    const [line = '', stamp] = collectedFrom.exec(text) ?? []
    if (stamp === undefined) return text
    const at = text.indexOf(line) + line.length
    if (before?.stamp === stamp) return text.slice(0, at) + before.rest
    const rest = text.slice(at)
    // Why it failed may be over without a change of these files.
    if (!isWhole || rest.includes('#@ error')) kept.delete(name)
    else kept.set(name, { stamp, rest, at: machine.now() })
    return text
  }

  const collect = async (name: CollectorName): Promise<Collected> => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    const last = kept.get(name)
    const before = last && machine.now() - last.at < keptForMs ? last : undefined
    const request = {
      file: 'sh',
      args: ['-c', scriptOf(name, isLocked(), before?.stamp ?? '')],
      folder: '',
      env: {},
      stdin: '',
    }
    const script = machine.runProgram(request, {
      onOutput(chunk) {
        bytes += chunk.length
        if (bytes <= limits.bytes) chunks.push(chunk)
        else script.kill()
      },
      onErrors: () => undefined,
    })
    // A script that outlives its kill isn’t started again beside itself.
    void script.ended.finally(() => running.delete(name))
    stop.addEventListener('abort', script.kill)
    const end = await withTimeout(machine, limits.timeMs, script.ended)
    stop.removeEventListener('abort', script.kill)
    if (end === 'timeout') script.kill()
    if (bytes > limits.bytes) return failed('large')
    if (end === 'timeout') return failed('timedOut')
    if ('signal' in end) return failed('killed')
    if (!('code' in end)) return failed('unavailable')
    return { successful: true, data: completed(name, Buffer.concat(chunks).toString('utf8'), end.code === 0, before) }
  }

  return async ({ data }, { reply }) => {
    const { collector: name, known } = parseTask(data)
    if (!isCollectorName(name)) return reply(failed('unknown'))
    const reading = running.get(name) ?? collect(name)
    running.set(name, reading)
    const collected = await reading
    const isKnown = known !== undefined && known === createHash('sha256').update(collected.data).digest('base64')
    reply(isKnown ? { ...collected, data: collectUnchanged } : collected)
  }
}
