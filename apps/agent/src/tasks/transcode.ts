import { isUtf8 } from 'node:buffer'

const newline = 0x0a
/** Longer lines are decided by their beginning. */
const maxLineBytes = 64 * 1024

/** End of complete characters: after a line end, or before the first non-ASCII byte. */
const sureEnd = (bytes: Uint8Array): number => {
  const line = bytes.lastIndexOf(newline) + 1
  const strange = bytes.subarray(line).findIndex((byte) => byte >= 0x80)
  return strange < 0 ? bytes.length : line + strange
}

/** Converts output to UTF-8 by line: valid UTF-8 stays, other lines are in the host’s set, none of which has line ends within characters. A line is held from its first non-ASCII byte, so that chunk boundaries don’t matter. */
export const createTranscoder = (charset: string) => {
  let held: Uint8Array = new Uint8Array()
  const encoder = new TextEncoder()
  const toUtf8 = (line: Uint8Array): Uint8Array =>
    isUtf8(line) ? line : encoder.encode(new TextDecoder(charset).decode(line))

  const linesOf = (bytes: Uint8Array): Uint8Array => {
    if (isUtf8(bytes)) return bytes
    const lines: Uint8Array[] = []
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(newline, at) + 1 || bytes.length
      lines.push(toUtf8(bytes.subarray(at, next)))
      at = next
    }
    return Buffer.concat(lines)
  }
  return {
    add(chunk: Uint8Array): Uint8Array {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.length > maxLineBytes ? bytes.length : sureEnd(bytes)
      held = bytes.slice(end)
      return linesOf(bytes.subarray(0, end))
    },
    /** The held-back rest. Call it once. */
    end(): Uint8Array {
      const rest = held
      held = new Uint8Array()
      return linesOf(rest)
    },
  }
}

export const transcode = (bytes: Uint8Array, charset: string): Uint8Array => {
  const transcoder = createTranscoder(charset)
  return Buffer.concat([transcoder.add(bytes), transcoder.end()])
}
