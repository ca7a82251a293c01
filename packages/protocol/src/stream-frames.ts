import { createReader, ProtocolError, toBytes, toText } from './bytes.ts'

const magic = Uint8Array.of(0xff, 0x05, 0xff, 0x05)

/** The message either end sends every 30 s on a relayed stream and ignores when it comes in. Source: agent contract 2.3. */
export const keepaliveFrame = new Uint8Array(0)

/** First message of an agent on a relayed stream: `ff 05 ff 05` and the stream id. Source: agent contract 4.1. */
export const toAttachFrame = (streamId: string): Uint8Array => toBytes(magic, streamId)

/** The stream id of an agent's first message. Errors: `truncated`, `bad-magic`, `not-utf8`. */
export const parseAttachFrame = (bytes: Uint8Array): string => {
  const reader = createReader(bytes)
  if (reader.take(magic.length).some((byte, index) => byte !== magic[index]))
    throw new ProtocolError('bad-magic', 'attach frame')
  return reader.text()
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
