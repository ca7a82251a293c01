import { parseTerminalFrame, type TerminalSize } from '@qd/protocol/stream-frames'
import { progressType } from '@qd/protocol/task-types'
import type { Timing } from '../../config/timing.ts'
import type { Machine } from '../../machine/machine.ts'
import { withTimeout } from '../../machine/waiting.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'
import { createMerger } from './merger.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from './relay.ts'

const defaultSize: TerminalSize = { cols: 80, rows: 24 }

/** Returns the exit status, null if the user left first. */
const runShell = async (machine: Machine, relay: Relay, firstSizeMs: number): Promise<number | null> => {
  // The user sees nothing before the first message, which has the size.
  let next = relay.messages.next()
  const first = await withTimeout(machine, firstSizeMs, next)
  if (first !== 'timeout' && first.done) return null
  const frame = first === 'timeout' ? undefined : parseTerminalFrame(first.value)

  const merger = createMerger((bytes) => {
    if (relay.send(bytes)) return
    terminal.pause()
    void relay.drained().then(() => terminal.resume())
  }, machine.sleep)
  const terminal = await machine.openTerminal(frame?.kind === 'resize' ? frame : defaultSize, merger.add)
  void relay.keepAlive()
  const takeInput = async () => {
    for (let step = await next; !step.done; step = await next) {
      next = relay.messages.next()
      const frame = parseTerminalFrame(step.value)
      if (frame?.kind === 'input') terminal.write(frame.bytes)
      else if (frame) terminal.resize(frame)
    }
    return null
  }
  try {
    const exit = await Promise.race([terminal.ended, takeInput()])
    merger.flush()
    return exit
  } finally {
    terminal.kill()
  }
}

/** Task 8: a shell over a relayed stream (agent contract 4, 5, docs/reference/agent-extensions.md). */
export const createTerminalHandler =
  (machine: Machine, timing: RelayTiming & Pick<Timing, 'firstSizeMs'>): TaskHandler =>
  async (task, { openStream, progress }) => {
    const stream = parseStreamTask(task.data)
    const relay = attachRelay(machine, openStream(), stream, timing)
    const exit = await runShell(machine, relay, timing.firstSizeMs).catch((error) => {
      machine.log(`terminal failed: ${toReason(error)}`)
      relay.send(Buffer.from(`${toReason(error)}\r\n`))
      return null
    })
    if (exit !== null) progress?.(progressType.shellEnded, JSON.stringify({ StreamID: stream, exit }))
    await relay.end()
  }
