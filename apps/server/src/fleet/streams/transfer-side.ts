import type { Caller } from '../../kernel/caller.ts'
import type { Ending, Link, UserSide } from './stream.ts'

/** This server's own end of a stream to an agent: messages in order, with back-pressure both ways. */
export type TransferSide = ReturnType<typeof createTransferSide>

/** Messages of at most 1 MiB that wait before the agent is held back. */
const maxWaiting = 4

export function createTransferSide(caller: Caller) {
  const arrived: Uint8Array[] = []
  let link: Link | null = null
  let ended: Ending | null = null
  let isOpen = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const change = () => new Promise<void>((resolve) => waiting.add(resolve))
  const side: UserSide = {
    caller,
    comesBack: false,
    received: 0,
    answers: async () => true,
    send(bytes) {
      arrived.push(bytes)
      wake()
      return arrived.length < maxWaiting
    },
    flow(isOn) {
      isOpen = isOn
      wake()
    },
    close(ending) {
      ended = ending
      wake()
    },
  }
  return {
    side,
    start(attached: Link): void {
      link = attached
      wake()
    },
    /** The agent's next message; null once the stream has ended. */
    async next(): Promise<Uint8Array | null> {
      while (arrived.length === 0) {
        if (ended !== null) return null
        await change()
      }
      const message = arrived.shift()!
      link?.drained()
      return message
    },
    /** Waits while the agent is slow; false once the stream has ended. */
    async send(bytes: Uint8Array): Promise<boolean> {
      while (!(isOpen && link)) {
        if (ended !== null) return false
        await change()
      }
      if (ended !== null) return false
      link.data(bytes)
      return true
    },
    close: (): void => link?.gone(true),
  }
}
