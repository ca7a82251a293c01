import type { SocketHandlers } from '../../../packages/core/src/api/index.ts'
import {
  createTerminalSession,
  type TerminalDivider,
  type TerminalState,
} from '../../../packages/core/src/shells/terminal.ts'
import { createTimers } from './timers.ts'

/** A clock and sockets that stand still until the test moves them. */
export function createWorld({ capabilities = ['reattach'] }: { capabilities?: string[] } = {}) {
  const clock = createTimers(1000)
  const sockets: (SocketHandlers & {
    url: string
    protocols: readonly string[]
    sent: Uint8Array[]
    closed: boolean
  })[] = []
  const seen = { states: [] as TerminalState[], dividers: [] as TerminalDivider[], output: [] as number[] }
  const calls: unknown[] = []
  let refusal: Error | null = null
  const session = createTerminalSession({
    server: 7,
    api: {
      async send(call) {
        calls.push(call)
        if (refusal) throw refusal
        return { session_id: `shell-${calls.length}`, server_id: 7, server_name: 'web-3' }
      },
    },
    ports: {
      now: clock.now,
      random: () => 1,
      setTimer: clock.setTimer,
      openSocket({ url, protocols }, handlers) {
        const socket = { ...handlers, url, protocols, sent: [] as Uint8Array[], closed: false }
        sockets.push(socket)
        return {
          send: (data) => void socket.sent.push(data as Uint8Array),
          close() {
            socket.closed = true
          },
        }
      },
    },
    baseUrl: 'https://fleet',
    capabilities: async () => capabilities,
    size: { cols: 92, rows: 32 },
    onOutput: (bytes) => seen.output.push(...bytes),
    onState: (state) => seen.states.push(state),
    onDivider: (divider) => seen.dividers.push(divider),
  })
  /** Lets promises that are already settled go on. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await null
  }
  const world = {
    session,
    seen,
    calls,
    sockets,
    last: () => sockets.at(-1)!,
    state: () => seen.states.at(-1)!,
    refuse(error: Error | null) {
      refusal = error
    },
    settle,
    /** Moves the clock and runs what comes due, in order. */
    async pass(ms: number) {
      for (const _ of clock.passing(ms)) await settle()
    },
    async live() {
      session.start()
      await settle()
      world.last().open('')
    },
  }
  return world
}

/** Text as the bytes of one message. */
export const bytes = (words: string) => new TextEncoder().encode(words)
