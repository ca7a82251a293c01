/**
 * Paths and names are bytes. As text they are UTF-8; an invalid byte becomes a lone surrogate, U+DC80 for 80 to U+DCFF for ff, so that
 * `toPathBytes` restores it exactly. Never show such a text without `shownName`.
 */
export const fromPathBytes = (bytes: Uint8Array): string => {
  try {
    return strict.decode(bytes)
  } catch {
    return byByte(bytes)
  }
}

export const toPathBytes = (path: string): Uint8Array => {
  if (!escapedByte.test(path)) return encoder.encode(path)
  const parts = path.split(escapedByte)
  return Uint8Array.from(
    parts.flatMap((part, index) => (index % 2 === 0 ? [...encoder.encode(part)] : [part.charCodeAt(0) - 0xdc00])),
  )
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()
/** A lone low surrogate, not the second half of a pair. */
const escapedByte = /(?<![\ud800-\udbff])([\udc80-\udcff])/

/** Takes the longest valid piece each time. */
const byByte = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(at, at + size)))
    text += length ? strict.decode(bytes.subarray(at, at + length)) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    at += length ?? 1
  }
  return text
}

const isCharacter = (bytes: Uint8Array): boolean => {
  try {
    strict.decode(bytes)
    return bytes.length > 0
  } catch {
    return false
  }
}
