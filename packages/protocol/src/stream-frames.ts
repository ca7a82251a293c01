import { createReader, ProtocolError, toBytes, toText } from './bytes.ts'

const magic = Uint8Array.of(0xff, 0x05, 0xff, 0x05)

/** Sent by either end every 30 s and ignored on receipt. Source: agent contract 2.3. */
export const keepaliveFrame = new Uint8Array(0)

/**
 * Flow-control window of a relayed stream, in bytes. HTTP/2’s default of 64 KiB allows 1.3 MB/s over a line of 50 ms; this allows 80. Either end
 * may have to buffer as much for each stream, so it is no larger.
 */
export const relayWindowBytes = 4 * 1024 * 1024

/** An agent’s first message on a relayed stream. Source: agent contract 4.1. */
export const toAttachFrame = (streamId: string): Uint8Array => toBytes(magic, streamId)

/** Errors: `truncated`, `bad-magic`, `not-utf8`. */
export const parseAttachFrame = (bytes: Uint8Array): string => {
  const reader = createReader(bytes)
  if (reader.take(magic.length).some((byte, index) => byte !== magic[index]))
    throw new ProtocolError('bad-magic', 'attach frame')
  return reader.text()
}

/** Looks like a Buffer to the gRPC library, which asks for the length and copies the message behind a header of its own. */
export interface CopiedMessage {
  length: number
  byteLength: number
  /** Writes itself at `at` and returns the number of bytes. */
  copy(target: Uint8Array, at?: number): number
}

/** An `IOStreamData` message whose bytes (a GiB per transfer) are copied only once. */
export const toRelayedMessage = ({ data }: { data: Uint8Array }): CopiedMessage => {
  // Field 1, bytes: the tag, then the length in groups of seven bits.
  const head = data.length === 0 ? [] : [10]
  for (let left = data.length; left > 0; left >>>= 7) head.push(left > 127 ? (left & 127) | 128 : left)
  const length = head.length + data.length
  return {
    length,
    byteLength: length,
    copy(target, at = 0) {
      target.set(head, at)
      target.set(data, at + head.length)
      return length
    },
  }
}

/** Size of a terminal in character cells: cols 2 to 1000, rows 2 to 500. */
export interface TerminalSize {
  cols: number
  rows: number
}

/** What a user’s side may send; output has no frame. Source: agent contract 5. */
export type TerminalFrame = { kind: 'input'; bytes: Uint8Array } | ({ kind: 'resize' } & TerminalSize)

export const toInputFrame = (input: Uint8Array | string): Uint8Array => toBytes({ u8: 0 }, input)

/** `01` and JSON, rows first as Nezha’s front end writes it. */
export const toResizeFrame = ({ cols, rows }: TerminalSize): Uint8Array =>
  toBytes({ u8: 1 }, JSON.stringify({ Rows: rows, Cols: cols }))

const parseSize = (bytes: Uint8Array): TerminalSize | undefined => {
  try {
    const fields = Object.entries(JSON.parse(toText(bytes)))
    const field = (name: string) => fields.find(([key]) => key.toLowerCase() === name)?.[1]
    const [cols, rows] = [field('cols'), field('rows')]
    const isWithin = (value: unknown, most: number): value is number =>
      Number.isInteger(value) && Number(value) >= 2 && Number(value) <= most
    return isWithin(cols, 1000) && isWithin(rows, 500) ? { cols, rows } : undefined
  } catch {
    return undefined
  }
}

/** Returns undefined for frames that agents ignore (keepalive, unknown opcode, bad size). */
export const parseTerminalFrame = (bytes: Uint8Array): TerminalFrame | undefined => {
  if (bytes.length === 0) return undefined
  const reader = createReader(bytes)
  const opcode = reader.u8()
  if (opcode === 0) return { kind: 'input', bytes: reader.rest() }
  const size = opcode === 1 ? parseSize(reader.rest()) : undefined
  return size && { kind: 'resize', ...size }
}
