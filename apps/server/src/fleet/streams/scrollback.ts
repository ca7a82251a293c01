/** The last output of a stream, for who attaches again. */
export interface Scrollback {
  add(bytes: Uint8Array): void
  /**
   * What came after the first `from` bytes, as one copy. Where some of it is no longer kept it begins after a line end, so
   * that no sequence is torn.
   */
  read(from: number): Uint8Array
}

const lineEnd = 10

/** Keeps the last `sizeBytes`; takes that much memory from the first byte on. */
export function createScrollback(sizeBytes: number): Scrollback {
  let ring: Buffer | null = null
  let total = 0
  return {
    add(bytes) {
      ring ??= Buffer.allocUnsafe(sizeBytes)
      total += bytes.length
      const tail = bytes.subarray(-sizeBytes)
      const at = (total - tail.length) % sizeBytes
      const fits = Math.min(tail.length, sizeBytes - at)
      ring.set(tail.subarray(0, fits), at)
      ring.set(tail.subarray(fits), 0)
    },
    read(from) {
      if (!ring || from >= total) return Buffer.alloc(0)
      const at = total <= sizeBytes ? 0 : total % sizeBytes
      const kept = Buffer.concat([ring.subarray(at, total), ring.subarray(0, at)])
      const first = total - kept.length
      return kept.subarray(from >= first ? from - first : kept.indexOf(lineEnd) + 1)
    },
  }
}
