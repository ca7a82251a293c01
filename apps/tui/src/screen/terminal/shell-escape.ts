/** The chord that leaves a shell, as it is written for people. */
export const leaveKeys = 'Enter ~ .'

const [enter, lineFeed, tilde, dot] = [13, 10, 126, 46]

/** What of the typed bytes goes to the shell, and whether it is left. */
export interface Escaped {
  readonly bytes: Uint8Array
  readonly leaves: boolean
}

/** Takes `~ .` at the beginning of a line out of what is typed; `~ ~` there is one `~`. Everything else goes through as it is. */
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
