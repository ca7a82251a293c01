export const leaveKeys = 'Enter ~ .'

const [enter, lineFeed, tilde, dot] = [13, 10, 126, 46]

export interface Escaped {
  readonly bytes: Uint8Array
  readonly leaves: boolean
}

/** `~ .` at the start of a line leaves; `~ ~` is one `~`. Everything else passes through. */
export function createShellEscape(): (typed: Uint8Array) => Escaped {
  let isLineStart = true
  let hasTilde = false
  return (typed) => {
    const bytes: number[] = []
    for (const byte of typed) {
      if (hasTilde && byte === dot) return { bytes: Uint8Array.from(bytes), leaves: true }
      if (isLineStart && !hasTilde && byte === tilde) {
        hasTilde = true
        continue
      }
      if (hasTilde && byte !== tilde) bytes.push(tilde)
      hasTilde = false
      bytes.push(byte)
      isLineStart = byte === enter || byte === lineFeed
    }
    return { bytes: Uint8Array.from(bytes), leaves: false }
  }
}
