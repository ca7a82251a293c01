import { isUtf8 } from 'node:buffer'

const decoder = () => new TextDecoder('utf-8', { ignoreBOM: true })

/** Drops an incomplete character at the end. */
const wholeCharacters = (bytes: Uint8Array): string => decoder().decode(bytes, { stream: true })

/** The sequence that a decoder reads as one character or U+FFFD (Unicode 15, table 3-7 and "Substitution of Maximal Subparts"). */
const sequenceAt = (bytes: Uint8Array, at: number): { length: number; isCharacter: boolean } => {
  const first = bytes[at]!
  const wanted = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  if (wanted < 2) return { length: 1, isCharacter: wanted === 1 }
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  let length = 1
  while (length < wanted) {
    const byte = bytes[at + length] ?? 0
    if (byte < (length === 1 ? least : 0x80) || byte > (length === 1 ? most : 0xbf)) break
    length += 1
  }
  return { length, isCharacter: length === wanted }
}

/** Invalid bytes; an incomplete character at a cut doesn’t count. */
export const countInvalid = (bytes: Uint8Array, isCut = false): number => {
  if (isUtf8(bytes)) return 0
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    const { length, isCharacter } = sequenceAt(bytes, at)
    at += length
    const isHalf = isCut && at === bytes.length && bytes[at - length]! >= 0xc2
    if (!isCharacter && !isHalf) count += length
  }
  return count
}

const invalidNote = (bytes: Uint8Array): string => {
  const count = countInvalid(bytes)
  return count === 0 ? '' : `\n[${count} ${count === 1 ? 'byte isn’t' : 'bytes aren’t'} UTF-8]`
}

/** Bytes whose text fits into `maxBytes`. */
const fitting = (bytes: Uint8Array, maxBytes: number): number => {
  let at = 0
  for (let size = 0; at < bytes.length; ) {
    const { length, isCharacter } = sequenceAt(bytes, at)
    size += isCharacter ? length : replacementBytes
    if (size > maxBytes) break
    at += length
  }
  return at
}

const replacementBytes = 3

export const createOutput = (maxBytes: number) => {
  const chunks: Uint8Array[] = []
  const pieces = decoder()
  let takenBytes = 0
  let shownBytes = 0
  let allBytes = 0

  return {
    /** Returns the added text; U+FFFD for invalid bytes. */
    add(chunk: Uint8Array): string {
      allBytes += chunk.length
      // Text has at least as many bytes as its source; three more complete a character.
      const taken = chunk.subarray(0, maxBytes + 3 - takenBytes)
      takenBytes += taken.length
      chunks.push(taken)
      const text = pieces.decode(taken, { stream: true })
      const bytes = Buffer.from(text)
      const shown = wholeCharacters(bytes.subarray(0, maxBytes - shownBytes))
      shownBytes = shown.length === text.length ? shownBytes + bytes.length : maxBytes
      return shown
    },
    /** All text, with notes on invalid and cut bytes. Call it once. */
    finish(): string {
      const taken = Buffer.concat(chunks)
      const text = decoder().decode(taken)
      if (allBytes === taken.length && Buffer.byteLength(text) <= maxBytes) return `${text}${invalidNote(taken)}`
      const kept = fitting(taken, maxBytes)
      const shown = taken.subarray(0, kept)
      return `${decoder().decode(shown)}${invalidNote(shown)}\n[${allBytes - kept} bytes cut]`
    },
  }
}
