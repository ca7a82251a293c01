import { isUtf8 } from 'node:buffer'

/** Turns the bytes of an output into UTF-8, as they come. */
export interface Transcoder {
  add(chunk: Uint8Array): Uint8Array
  /** What was held back. To be called once, at the end. */
  end(): Uint8Array
}

const newline = 0x0a
/** A line that is longer is decided by its beginning. */
const maxLineBytes = 64 * 1024

/** Where the last character of these bytes that is whole may end: after a line end, or before the first byte that is not ASCII. */
const sureEnd = (bytes: Uint8Array): number => {
  const line = bytes.lastIndexOf(newline) + 1
  const strange = bytes.subarray(line).findIndex((byte) => byte >= 0x80)
  return strange < 0 ? bytes.length : line + strange
}

/**
 * Reads the output of a host that writes in a character set of its own: a line that is UTF-8 stays, for many programs write that everywhere,
 * and any other is read in that set. No set that hosts use has a line end within a character. A line is held back from its first byte that
 * is not ASCII until its end, so that it doesn’t matter where the chunks end.
 */
export const createTranscoder = (charset: string): Transcoder => {
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
    add(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.length > maxLineBytes ? bytes.length : sureEnd(bytes)
      held = bytes.slice(end)
      return linesOf(bytes.subarray(0, end))
    },
    end() {
      const rest = held
      held = new Uint8Array()
      return linesOf(rest)
    },
  }
}

/** All of an output in UTF-8. */
export const transcode = (bytes: Uint8Array, charset: string): Uint8Array => {
  const transcoder = createTranscoder(charset)
  return Buffer.concat([transcoder.add(bytes), transcoder.end()])
}
