import { createReader, ProtocolError, toBytes, toText } from './bytes.ts'

const magic = Uint8Array.of(0xff, 0x05, 0xff, 0x05)

/** The message either end sends every 30 s on a relayed stream and ignores when it comes in. Source: agent contract 2.3. */
export const keepaliveFrame = new Uint8Array(0)

/**
 * What either end of a relayed stream may have on its way before it is read, in bytes. HTTP/2 has 64 KiB, which over a line of 50 ms is 1.3 MB/s
 * at most; with this it is 80. Either end may have to hold as much for each stream whose other side does not read, so it is no larger.
 */
export const relayWindowBytes = 4 * 1024 * 1024

/** First message of an agent on a relayed stream: `ff 05 ff 05` and the stream id. Source: agent contract 4.1. */
export const toAttachFrame = (streamId: string): Uint8Array => toBytes(magic, streamId)

/** The stream id of an agent's first message. Errors: `truncated`, `bad-magic`, `not-utf8`. */
export const parseAttachFrame = (bytes: Uint8Array): string => {
  const reader = createReader(bytes)
  if (reader.take(magic.length).some((byte, index) => byte !== magic[index]))
    throw new ProtocolError('bad-magic', 'attach frame')
  return reader.text()
}

/** A message for a library that asks it for its length and copies it behind a head of its own, as a Buffer lets it. */
export interface CopiedMessage {
  length: number
  byteLength: number
  /** Writes itself from `at` on; answers how many bytes. */
  copy(target: Uint8Array, at?: number): number
}

/** The message of a relayed piece (`IOStreamData`), whose bytes, a GiB a transfer, are copied once, where they are sent from. */
export const toRelayedMessage = ({ data }: { data: Uint8Array }): CopiedMessage => {
  // Field 1, bytes: its tag and the length in groups of seven bits come first.
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

/** What a user's side may send to a terminal; the terminal's own output has no frame. Source: agent contract 5. */
export type TerminalFrame = { kind: 'input'; bytes: Uint8Array } | ({ kind: 'resize' } & TerminalSize)

/** Keystrokes: `00` and the bytes as typed. */
export const toInputFrame = (input: Uint8Array | string): Uint8Array => toBytes({ u8: 0 }, input)

/** A new size: `01` and JSON, rows first as the existing front end writes it. */
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

/** Reads a frame on the agent's side; undefined for frames that the agent ignores (keepalive, unknown opcode, bad size). */
export const parseTerminalFrame = (bytes: Uint8Array): TerminalFrame | undefined => {
  if (bytes.length === 0) return undefined
  const reader = createReader(bytes)
  const opcode = reader.u8()
  if (opcode === 0) return { kind: 'input', bytes: reader.rest() }
  const size = opcode === 1 ? parseSize(reader.rest()) : undefined
  return size && { kind: 'resize', ...size }
}
