/** Bytes of a text's end that a look at it takes. */
export const textLookBytes = 64 * 1024
/** Bytes of the largest picture that is shown. */
export const pictureLookBytes = 8 * 1024 * 1024

/** A file as it can be looked at. Nothing of it is ever run: HTML and SVG are text. */
export type Look =
  | { kind: 'text'; text: string; isWhole: boolean }
  | { kind: 'picture'; type: string; bytes: Uint8Array }
  | { kind: 'binary' }
  | { kind: 'empty' }

/** First bytes of the pictures that every browser draws, and what they are called. */
const pictures: readonly (readonly [type: string, at: number, head: string])[] = [
  ['image/png', 0, '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', 0, '\u00ff\u00d8\u00ff'],
  ['image/gif', 0, 'GIF8'],
  ['image/bmp', 0, 'BM'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
]

/** What a picture is by its first bytes, not by its name; null for anything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const found = pictures.find(([, at, head]) =>
    [...head].every((letter, index) => bytes[at + index] === letter.charCodeAt(0)),
  )
  return found?.[0] ?? null
}

/** Whether a name promises a picture, so that all of it is read and not only its end. */
export function seemsPicture(name: string): boolean {
  return /\.(?:png|jpe?g|gif|bmp|webp|avif)$/i.test(name)
}

/** What bytes show. `isWhole`: they are all of the file; else its end, whose first line may be cut and is left out. */
export function lookAt(bytes: Uint8Array, isWhole: boolean): Look {
  if (bytes.length === 0) return { kind: 'empty' }
  const type = isWhole ? pictureType(bytes) : null
  if (type !== null) return { kind: 'picture', type, bytes }
  if (bytes.includes(0)) return { kind: 'binary' }
  const text = new TextDecoder().decode(bytes)
  const bad = text.split('\ufffd').length - 1
  if (bad > Math.max(4, text.length / 10)) return { kind: 'binary' }
  if (isWhole) return { kind: 'text', text, isWhole }
  const end = text.indexOf('\n')
  return { kind: 'text', text: end < 0 ? text : text.slice(end + 1), isWhole }
}
