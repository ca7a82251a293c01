import { parseTerminalFrame, type TerminalSize } from '@qd/protocol/stream-frames'
import { progressType } from '@qd/protocol/task-types'
import type { Timing } from '../../config/timing.ts'
import type { Machine } from '../../machine/machine.ts'
import { withTimeout } from '../../machine/waiting.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from './relay.ts'

const defaultSize: TerminalSize = { cols: 80, rows: 24 }

const maxWords = 64
const maxWordLength = 4096

/** The program that a task names in place of the user’s shell; undefined for none. Errors: throws for anything but an argument vector. */
const parseProgram = (data: string): readonly string[] | undefined => {
  const { program } = JSON.parse(data) as { program?: unknown }
  if (program === undefined) return undefined
  const isWord = (word: unknown) => typeof word === 'string' && word.length <= maxWordLength && !word.includes('\0')
  if (Array.isArray(program) && program[0] && program.length <= maxWords && program.every(isWord)) return program
  throw new Error('invalid program')
}

/** Returns the exit status, null if the user left first. */
const runShell = async (machine: Machine, relay: Relay, data: string, firstSizeMs: number): Promise<number | null> => {
  const program = parseProgram(data)
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
  const terminal = await machine.openTerminal(frame?.kind === 'resize' ? frame : defaultSize, merger.add, program)
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

/** Task 8: a shell, or the program that the task names, over a relayed stream (agent contract 4, 5, docs/reference/agent-extensions.md). */
export const createTerminalHandler =
  (machine: Machine, timing: RelayTiming & Pick<Timing, 'firstSizeMs'>): TaskHandler =>
  async (task, { openStream, progress }) => {
    const stream = parseStreamTask(task.data)
    const relay = attachRelay(machine, openStream(), stream, timing)
    const exit = await runShell(machine, relay, task.data, timing.firstSizeMs).catch((error) => {
      machine.log(`terminal failed: ${toReason(error)}`)
      relay.send(Buffer.from(`${toReason(error)}\r\n`))
      return null
    })
    if (exit !== null) progress?.(progressType.shellEnded, JSON.stringify({ StreamID: stream, exit }))
    await relay.end()
  }

/** See agent contract 5. */
const maxBytes = 32 * 1024
const windowMs = 2

/** The first chunk goes at once; chunks within 2 ms are joined. */
export const createMerger = (send: (bytes: Uint8Array) => void, sleep: (ms: number) => Promise<void>) => {
  let chunks: Uint8Array[] = []
  let length = 0
  let isCollecting = false

  const flush = () => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = []
    length = 0
    for (let start = 0; start < all.length; start += maxBytes) send(all.subarray(start, start + maxBytes))
  }
  const collect = async () => {
    isCollecting = true
    do {
      flush()
      await sleep(windowMs)
    } while (length > 0)
    isCollecting = false
  }
  return {
    add(chunk: Uint8Array): void {
      chunks.push(chunk)
      length += chunk.length
      if (!isCollecting) void collect()
      else if (length >= maxBytes) flush()
    },
    flush,
  }
}
