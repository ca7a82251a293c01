import { refusals } from '@qd/protocol/refusals'
import { progressType } from '@qd/protocol/task-types'
import { type AgentConfig, toConfigJson } from '../config/agent-config.ts'
import { applyConfig, applySecret, applyTransfer, ConfigRefusal } from '../config/apply.ts'
import type { Settings } from '../config/settings.ts'
import type { Machine } from '../machine/machine.ts'
import { toReason } from '../wire/rpc.ts'
import type { TaskContext, TaskHandler } from '../wire/runner.ts'

export interface ConfigTaskParts {
  machine: Pick<Machine, 'sleep' | 'log'>
  settings: Settings
  /** Delay for Nezha servers (agent contract 3.8). */
  applyDelayMs: number
  reconnect(): void
}

/** Changes of these need a new connection; disabling commands ends open shells with it. */
const connectionKeys = ['server', 'client_secret', 'uuid', 'tls', 'insecure_tls', 'disable_command_execute'] as const

const secretIsGiven = 'the secret of this agent comes from --secret or NZ_CLIENT_SECRET; change it there'

/** Tasks 12 to 14, and secret rotation (agent contract 3.7 to 3.9, docs/reference/agent-extensions.md). */
export const createConfigHandlers = (
  parts: ConfigTaskParts,
): Record<'report' | 'apply' | 'transfer' | 'rotate', TaskHandler> => {
  const { machine, settings, applyDelayMs, reconnect } = parts
  /** A change that is due later, or couldn’t be stored. */
  let pending: { isTransfer: boolean; cancel: AbortController } | undefined
  /** Immediate changes, in order. */
  let last: Promise<unknown> = Promise.resolve()

  const applyLater = (next: AgentConfig, isTransfer: boolean) => {
    pending?.cancel.abort()
    const cancel = new AbortController()
    pending = { isTransfer, cancel }
    void machine
      .sleep(applyDelayMs, cancel.signal)
      .then(async () => {
        if (cancel.signal.aborted) return
        await settings.save(next)
        pending = undefined
        reconnect()
      })
      .catch((error) => machine.log(`failed to save the new configuration: ${toReason(error)}`))
  }

  const applyNow = async (next: AgentConfig, { reply, progress }: TaskContext) => {
    const before = settings.current
    try {
      await settings.save(next)
    } catch (error) {
      return reply({ data: toReason(error) })
    }
    progress?.(progressType.applied, '')
    reply({ successful: true })
    if (connectionKeys.some((key) => before[key] !== next[key])) reconnect()
  }

  const change =
    (isTransfer: boolean, merge: (current: AgentConfig, text: string) => AgentConfig): TaskHandler =>
    (task, context) => {
      const apply = () => {
        if (!isTransfer && pending?.isTransfer) throw new ConfigRefusal(refusals.transferPending)
        const next = merge(settings.current, task.data)
        if (context.progress) return applyNow(next, context)
        applyLater(next, isTransfer)
        return context.reply({ successful: true })
      }
      last = last.then(apply).catch((error) => context.reply({ data: toReason(error) }))
      return last as Promise<void>
    }

  return {
    report: (_task, { reply }) =>
      pending
        ? reply({ data: 'another reload is in process' })
        : reply({ successful: true, data: JSON.stringify(toConfigJson(settings.current)) }),
    apply: change(false, applyConfig),
    transfer: change(true, applyTransfer),
    rotate: change(false, (current, text) => {
      if (settings.isSecretGiven) throw new ConfigRefusal(secretIsGiven)
      return applySecret(current, text)
    }),
  }
}
