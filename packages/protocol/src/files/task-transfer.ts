import { createReader, ProtocolError, toText } from '../bytes.ts'

/** Bytes of the largest file of task 20, both ways. Source: agent contract 11, as all of this file. */
export const maxTransferBytes = 100 * 1024 * 1024

/** `sha256` in hex; null if the agent leaves it out (all zeros). */
export type TransferMessage =
  | { kind: 'ready'; size: number }
  | { kind: 'begin'; size: number }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'done'; size: number; sha256: string | null }
  | { kind: 'error'; text: string }

const maxPieceBytes = 1024 * 1024

/** Errors: `bad-magic` for another message, `truncated`, `out-of-range` for a size or piece that is too large or empty. */
export const parseTransferMessage = (message: Uint8Array): TransferMessage => {
  const reader = createReader(message)
  const mark = String.fromCharCode(...reader.take(4))
  const size = () => {
    const value = reader.u64()
    if (value > BigInt(maxTransferBytes)) throw new ProtocolError('out-of-range', `a file of ${value} bytes`)
    return Number(value)
  }
  if (mark === 'NZTU') return { kind: 'ready', size: size() }
  if (mark === 'NZTD') return { kind: 'begin', size: size() }
  if (mark === 'NZTE') return { kind: 'error', text: toText(reader.rest()) }
  if (mark === 'NZTC') {
    const length = size()
    if (length === 0 || length > maxPieceBytes || length !== reader.left)
      throw new ProtocolError('out-of-range', `a piece of ${length} bytes in ${reader.left}`)
    return { kind: 'data', bytes: reader.rest() }
  }
  if (mark === 'NZTO') {
    const total = size()
    const hash = [...reader.take(32)]
    const sha256 = hash.some((byte) => byte !== 0)
      ? hash.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : null
    return { kind: 'done', size: total, sha256 }
  }
  throw new ProtocolError('bad-magic', 'a message of no transfer')
}
