export type Scrollback = ReturnType<typeof createScrollback>

const lineEnd = 10

/** Keeps the last `sizeBytes`, allocated with the first byte. */
export function createScrollback(sizeBytes: number) {
  let ring: Buffer | null = null
  let total = 0
  return {
    add(bytes: Uint8Array): void {
      ring ??= Buffer.allocUnsafe(sizeBytes)
      total += bytes.length
      const tail = bytes.subarray(-sizeBytes)
      const at = (total - tail.length) % sizeBytes
      const fits = Math.min(tail.length, sizeBytes - at)
      ring.set(tail.subarray(0, fits), at)
      ring.set(tail.subarray(fits), 0)
    },
    /** Output after the first `from` bytes. If some is lost, it begins after a line end, so that no escape sequence is cut. */
    read(from: number): Uint8Array {
      if (!ring || from >= total) return Buffer.alloc(0)
      const at = total <= sizeBytes ? 0 : total % sizeBytes
      const kept = Buffer.concat([ring.subarray(at, total), ring.subarray(0, at)])
      const first = total - kept.length
      return kept.subarray(from >= first ? from - first : kept.indexOf(lineEnd) + 1)
    },
  }
}
