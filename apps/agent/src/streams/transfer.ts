import { toBytes } from '@qd/protocol/bytes'
import type { Machine } from '../machine.ts'
import type { TaskHandler } from '../tasks/runner.ts'
import { attachRelay, type RelayTiming } from './relay.ts'
import { parseStreamTask } from './stream-task.ts'

/** Task 20 of an agent without file transfer: attaches, sends a refusal, and ends. Source: agent contract 11. */
export const createTransferRefusal =
  (machine: Machine, timing: RelayTiming): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data, 'stream_id'), timing)
    relay.send(toBytes('NZTE', 'FsTransfer 被 agent DisableCommandExecute 拒绝'))
    await relay.end()
  }
