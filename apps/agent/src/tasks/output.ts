/** Output of a command as text: valid UTF-8, at most so many bytes, and how many were cut. How it arrives makes no difference. */
export interface Output {
  /** Takes the next bytes and returns what they add to the kept text; `U+FFFD` stands for what is not UTF-8. */
  add(chunk: Uint8Array): string
  /** Everything kept; when something was cut, a last line says how many bytes of the output. To be called once, at the end. */
  finish(): string
}

const decoder = () => new TextDecoder('utf-8', { ignoreBOM: true })

/** The characters that these bytes hold whole; one that has only begun is left out. */
const wholeCharacters = (bytes: Uint8Array): string => decoder().decode(bytes, { stream: true })

/** How many bytes at the beginning become the longest text of at most `mostBytes` bytes. */
const fitting = (bytes: Uint8Array, mostBytes: number): number => {
  const size = (count: number) => Buffer.byteLength(wholeCharacters(bytes.subarray(0, count)))
  let fits = size(bytes.length) <= mostBytes ? bytes.length : 0
  // Only what is not UTF-8 becomes longer: U+FFFD has three bytes.
  for (let tooMany = fits === 0 ? bytes.length : fits; tooMany - fits > 1; ) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (size(middle) <= mostBytes) fits = middle
    else tooMany = middle
  }
  // A character that has only begun is among what was cut.
  const kept = size(fits)
  while (fits > 0 && size(fits - 1) === kept) fits -= 1
  return fits
}

/** An empty output that keeps what becomes the first `mostBytes` bytes of text. */
export const createOutput = (mostBytes: number): Output => {
  const chunks: Uint8Array[] = []
  const pieces = decoder()
  let takenBytes = 0
  let shownBytes = 0
  let allBytes = 0

  return {
    add(chunk) {
      allBytes += chunk.length
      // A text has at least as many bytes as what it was read from.
      const taken = chunk.subarray(0, mostBytes - takenBytes)
      takenBytes += taken.length
      chunks.push(taken)
      const text = pieces.decode(taken, { stream: true })
      const bytes = Buffer.from(text)
      const shown = wholeCharacters(bytes.subarray(0, mostBytes - shownBytes))
      shownBytes = shown.length === text.length ? shownBytes + bytes.length : mostBytes
      return shown
    },
    finish() {
      const taken = Buffer.concat(chunks)
      const text = decoder().decode(taken)
      if (allBytes === taken.length && Buffer.byteLength(text) <= mostBytes) return text
      const kept = fitting(taken, mostBytes)
      return `${wholeCharacters(taken.subarray(0, kept))}\n[${allBytes - kept} bytes cut]`
    },
  }
}
