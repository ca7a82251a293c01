/** Output of a command as text: valid UTF-8, at most so many bytes, and how many were cut. */
export interface Output {
  /** Takes the next bytes and returns what they add to the kept text; `U+FFFD` stands for what is not UTF-8. */
  add(chunk: Uint8Array): string
  /** Everything kept; when something was cut, a last line says how much. To be called once, at the end. */
  finish(): string
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** An empty output that keeps the first `mostBytes` bytes. */
export const createOutput = (mostBytes: number): Output => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const pieces: string[] = []
  let keptBytes = 0
  let cutBytes = 0

  const keep = (text: string): string => {
    const bytes = Buffer.from(text)
    let end = Math.min(bytes.length, mostBytes - keptBytes)
    while (end < bytes.length && isContinuation(bytes[end])) end -= 1
    keptBytes += end
    cutBytes += bytes.length - end
    const kept = bytes.toString('utf8', 0, end)
    pieces.push(kept)
    return kept
  }
  return {
    add(chunk) {
      if (cutBytes === 0) return keep(decoder.decode(chunk, { stream: true }))
      cutBytes += chunk.length
      return ''
    },
    finish() {
      if (cutBytes === 0) keep(decoder.decode())
      return pieces.join('') + (cutBytes > 0 ? `\n[${cutBytes} bytes cut]` : '')
    },
  }
}
