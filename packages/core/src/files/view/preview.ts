export const textPreviewBytes = 64 * 1024
export const picturePreviewBytes = 8 * 1024 * 1024

/** Nothing in a preview is ever executed: HTML and SVG are shown as text. */
export type Preview =
  | { kind: 'text'; text: string; isWhole: boolean }
  | { kind: 'picture'; type: string; bytes: Uint8Array }
  | { kind: 'binary' }
  | { kind: 'empty' }

/** Magic numbers of the pictures that every browser displays. */
const pictures: readonly (readonly [type: string, at: number, head: string])[] = [
  ['image/png', 0, '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', 0, '\u00ff\u00d8\u00ff'],
  ['image/gif', 0, 'GIF8'],
  ['image/bmp', 0, 'BM'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
]

/** The type of a picture by its first bytes, not its name; null for anything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const found = pictures.find(([, at, head]) =>
    [...head].every((letter, index) => bytes[at + index] === letter.charCodeAt(0)),
  )
  return found?.[0] ?? null
}

/** Whether a name looks like a picture’s, so that all of it is read and not only its end. */
export function seemsPicture(name: string): boolean {
  return /\.(?:png|jpe?g|gif|bmp|webp|avif)$/i.test(name)
}

/** `isWhole`: the bytes are the whole file; else its end, whose first line may be cut and is left out. */
export function previewOf(bytes: Uint8Array, isWhole: boolean): Preview {
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
