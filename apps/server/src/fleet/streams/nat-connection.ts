import { Duplex } from 'node:stream'
import type { Caller } from '../../kernel/caller.ts'
import type { Ending, Link, UserSide } from './stream.ts'

/** Nezha agents end a relay with this as a message of its own (agent contract 7.2). */
const endText = Buffer.from('EOF')

export type NatConnection = ReturnType<typeof createNatConnection>

export const visitor: Caller = { viewer: { id: 0, username: '', role: 1, scopes: null }, session: null, address: '' }

export function createNatConnection() {
  let link: Link | null = null
  let ended: Ending | null = null
  let isOpen = false
  let waiting: { bytes: Buffer; done(): void } | null = null
  let held: Uint8Array | null = null

  function flush() {
    if (!isOpen || !waiting || !link) return
    const { bytes, done } = waiting
    waiting = null
    link.data(bytes)
    if (isOpen) done()
    else waiting = { bytes: Buffer.alloc(0), done }
  }
  const socket = new Duplex({
    allowHalfOpen: true,
    read: () => link?.drained(),
    write(bytes: Buffer, _encoding, done) {
      waiting = { bytes, done }
      flush()
    },
    final: (done) => done(),
    destroy(error, done) {
      link?.gone(true)
      done(error)
    },
  })
  const side: UserSide = {
    caller: visitor,
    comesBack: false,
    received: 0,
    answers: async () => true,
    send(bytes) {
      const before = held
      held = endText.equals(bytes) ? bytes : null
      const parts = [...(before ? [before] : []), ...(held ? [] : [bytes])]
      return parts.map((part) => socket.push(part)).every(Boolean)
    },
    flow(isOn) {
      isOpen = isOn
      flush()
    },
    close(ending) {
      ended = ending
      if (ending === 'ended') socket.push(null)
      else if (!socket.destroyed) socket.destroy(new Error(ending))
    },
  }
  return {
    socket,
    side,
    start(attached: Link): void {
      link = attached
      flush()
    },
    ending: () => ended,
  }
}
