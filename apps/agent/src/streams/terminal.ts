import { parseTerminalFrame, type TerminalSize } from '@qd/protocol/stream-frames'
import type { Machine } from '../machine.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from '../tasks/runner.ts'
import type { Timing } from '../timing.ts'
import { withTimeout } from '../waiting.ts'
import { createMerger } from './merger.ts'
import { attachRelay, type Relay, type RelayTiming } from './relay.ts'
import { parseStreamTask } from './stream-task.ts'

/** Source: agent contract 5. */
const defaultSize: TerminalSize = { cols: 80, rows: 24 }

const runShell = async (machine: Machine, relay: Relay, firstSizeMs: number): Promise<void> => {
  // The user sees nothing before the first message, so the shell waits and starts with the size in that message.
  let next = relay.messages.next()
  const first = await withTimeout(machine, firstSizeMs, next)
  if (first !== 'late' && first.done) return
  const frame = first === 'late' ? undefined : parseTerminalFrame(first.value)

  const merger = createMerger((bytes) => {
    if (relay.send(bytes)) return
    terminal.pause()
    void relay.drained().then(() => terminal.resume())
  }, machine.sleep)
  const terminal = await machine.openTerminal(frame?.kind === 'resize' ? frame : defaultSize, merger.add)
  relay.keepAlive()
  const takeInput = async () => {
    for (let step = await next; !step.done; step = await next) {
      next = relay.messages.next()
      const frame = parseTerminalFrame(step.value)
      if (frame?.kind === 'input') terminal.write(frame.bytes)
      else if (frame) terminal.resize(frame)
    }
  }
  try {
    await Promise.race([terminal.ended, takeInput()])
    merger.flush()
  } finally {
    terminal.kill()
  }
}

/** Task 8: the user's shell over a relayed stream. Source: agent contract 4 and 5, docs/agent-extensions.md. */
export const createTerminalHandler =
  (machine: Machine, timing: RelayTiming & Pick<Timing, 'firstSizeMs'>): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
    await runShell(machine, relay, timing.firstSizeMs).catch((error) => {
      machine.log(`a terminal failed: ${toReason(error)}`)
      relay.send(Buffer.from(`${toReason(error)}\r\n`))
    })
    await relay.end()
  }
