import { toFileError } from '@qd/protocol/files'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import type { Machine } from '../../machine/machine.ts'
import type { TaskHandler } from '../runner.ts'
import { attachRelay, type RelayTiming } from './relay.ts'
import { parseStreamTask } from './stream-task.ts'

/**
 * Terminals and files of a host whose commands are disabled, or that is watch-only. Our server opens the stream and is told why nothing comes; an existing server
 * hears nothing, as from existing agents.
 */
export const createRefusedStreams = (
  machine: Machine,
  timing: RelayTiming,
  reason: () => RefusalCode,
): Record<'terminal' | 'files', TaskHandler> => {
  const saying =
    (messageOf: (text: string) => Uint8Array): TaskHandler =>
    async (task, { openStream, progress }) => {
      if (!progress) return
      const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
      relay.send(messageOf(refusals[reason()]))
      await relay.end()
    }
  return {
    terminal: saying((text) => Buffer.from(`${text}\r\n`)),
    files: saying(toFileError),
  }
}
