/** See agent contract 5. */
const maxBytes = 32 * 1024
const windowMs = 2

/** The first chunk goes at once; chunks within 2 ms are joined. */
export const createMerger = (send: (bytes: Uint8Array) => void, sleep: (ms: number) => Promise<void>) => {
  let chunks: Uint8Array[] = []
  let length = 0
  let isCollecting = false

  const flush = () => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = []
    length = 0
    for (let start = 0; start < all.length; start += maxBytes) send(all.subarray(start, start + maxBytes))
  }
  const collect = async () => {
    isCollecting = true
    do {
      flush()
      await sleep(windowMs)
    } while (length > 0)
    isCollecting = false
  }
  return {
    add(chunk: Uint8Array): void {
      chunks.push(chunk)
      length += chunk.length
      if (!isCollecting) void collect()
      else if (length >= maxBytes) flush()
    },
    flush,
  }
}
