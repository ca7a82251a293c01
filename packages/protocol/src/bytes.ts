/** Why bytes were refused. `bad-magic`: they don’t begin with the required marker. `out-of-range`: a number doesn’t fit its field. */
export type ProtocolErrorCode = 'truncated' | 'not-utf8' | 'bad-magic' | 'out-of-range'

/** Bytes or values that don’t fit the protocol. The message is for logs, never for users. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode
  constructor(code: ProtocolErrorCode, detail: string) {
    super(`${code}: ${detail}`)
    this.name = 'ProtocolError'
    this.code = code
  }
}

/** Reads big-endian fields in order. Errors: every read past the end throws `truncated`. */
export interface ByteReader {
  readonly left: number
  u8(): number
  u32(): number
  u64(): bigint
  /** The next `length` bytes; a view, not a copy. */
  take(length: number): Uint8Array
  rest(): Uint8Array
  /** The next `length` bytes (default: the rest) as text. Errors: `not-utf8`. */
  text(length?: number): string
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

export const toText = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ProtocolError('not-utf8', `${bytes.length} bytes`)
  }
}

/** Reads these bytes without copying them. */
export const createReader = (bytes: Uint8Array): ByteReader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let position = 0
  const advance = (length: number): number => {
    if (length < 0 || length > bytes.length - position)
      throw new ProtocolError('truncated', `${length} bytes wanted at ${position} of ${bytes.length}`)
    const start = position
    position += length
    return start
  }
  const take = (length: number) => {
    const start = advance(length)
    return bytes.subarray(start, start + length)
  }
  return {
    get left() {
      return bytes.length - position
    },
    u8: () => view.getUint8(advance(1)),
    u32: () => view.getUint32(advance(4)),
    u64: () => view.getBigUint64(advance(8)),
    take,
    rest: () => take(bytes.length - position),
    text: (length = bytes.length - position) => toText(take(length)),
  }
}

/** One field of `toBytes`: bytes, text as UTF-8, or an unsigned big-endian number of 1, 4 or 8 bytes. */
export type Field = Uint8Array | string | { u8: number } | { u32: number } | { u64: bigint }

const encodeNumber = (size: number, value: number | bigint): Uint8Array => {
  const wide = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : -1n
  if (BigInt.asUintN(size * 8, wide) !== wide) throw new ProtocolError('out-of-range', `${value} in ${size} bytes`)
  return Uint8Array.from({ length: size }, (_, index) => Number((wide >> BigInt(8 * (size - 1 - index))) & 0xffn))
}

const encodeField = (field: Field): Uint8Array => {
  if (typeof field === 'string') return encoder.encode(field)
  if ('u8' in field) return encodeNumber(1, field.u8)
  if ('u32' in field) return encodeNumber(4, field.u32)
  return 'u64' in field ? encodeNumber(8, field.u64) : field
}

export const concat = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let position = 0
  for (const piece of pieces) {
    bytes.set(piece, position)
    position += piece.length
  }
  return bytes
}

/** Errors: `out-of-range` for a number that is negative, fractional or too large. */
export const toBytes = (...fields: Field[]): Uint8Array => concat(fields.map(encodeField))
