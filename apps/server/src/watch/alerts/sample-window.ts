/** What an ordinary condition remembers of one server: which of its newest samples failed. */
export interface SampleWindow {
  readonly size: number
  /** Samples in it, at most `size`. */
  count: number
  failed: number
  /** Ticks without data since the newest sample. */
  gap: number
  next: number
  /** A bit per sample, one where it failed; null while none did, which costs nothing. */
  bits: Uint8Array | null
}

/** An empty window over `size` samples. */
export function createWindow(size: number): SampleWindow {
  return { size, count: 0, failed: 0, gap: 0, next: 0, bits: null }
}

/** Takes one sample: true failed, false passed, null no data. A gap as long as the window empties it: what was before says nothing any more. */
export function addSample(window: SampleWindow, failed: boolean | null): void {
  if (failed === null) {
    window.gap += 1
    if (window.gap >= window.size) empty(window)
    return
  }
  window.gap = 0
  if (window.count < window.size) window.count += 1
  else if (isSet(window.bits, window.next)) window.failed -= 1
  if (failed) {
    window.failed += 1
    window.bits ??= new Uint8Array(Math.ceil(window.size / 8))
    window.bits[window.next >> 3]! |= 1 << (window.next & 7)
  } else if (window.bits) {
    window.bits[window.next >> 3]! &= ~(1 << (window.next & 7))
    if (window.failed === 0) window.bits = null
  }
  window.next = (window.next + 1) % window.size
}

/** True if the window is full. */
export const isFull = ({ count, size }: SampleWindow): boolean => count >= size

/** True if more than 70 % failed (contract engines 1.5). */
export const isFailing = ({ failed, size }: SampleWindow): boolean => Math.floor((failed * 100) / size) > 70

function empty(window: SampleWindow): void {
  window.count = 0
  window.failed = 0
  window.next = 0
  window.bits = null
}

const isSet = (bits: Uint8Array | null, index: number) =>
  bits !== null && (bits[index >> 3]! & (1 << (index & 7))) !== 0
