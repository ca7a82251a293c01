const maxBase64 = 1024 * 1024

/** Parses an OSC 52 payload (`c;<base64>`). Null for queries and invalid data. */
export function readHostClipboard(sequence: string): string | null {
  const base64 = sequence.slice(sequence.indexOf(';') + 1)
  if (!sequence.includes(';') || base64 === '?' || base64 === '' || base64.length > maxBase64) return null
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
