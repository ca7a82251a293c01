/** A larger paste is refused (behavior W-05). */
export const pasteLimitBytes = 512 * 1024

/** A paste, for its confirmation. */
export interface Paste {
  /** With carriage returns as line ends, like Enter. */
  text: string
  bytes: number
  lines: number
  isTooLarge: boolean
  /** The shell would run the lines at once, because it doesn’t support bracketed paste. */
  runsLines: boolean
}

/** `bracketed`: the shell asked for paste marks. */
export function readPaste(raw: string, { bracketed }: { bracketed: boolean }): Paste {
  const text = raw.replace(/\r\n?|\n/g, '\r')
  const bytes = new TextEncoder().encode(text).length
  const breaks = text.split('\r').length - 1
  return {
    text,
    bytes,
    lines: breaks + (text.endsWith('\r') ? 0 : 1),
    isTooLarge: bytes > pasteLimitBytes,
    runsLines: !bracketed && breaks > 0,
  }
}

/** Removes paste marks from the text, which would end the paste early. */
export function pasteBytes({ text }: Pick<Paste, 'text'>, { bracketed }: { bracketed: boolean }): Uint8Array {
  const [begin, end] = ['\u001b[200~', '\u001b[201~']
  return new TextEncoder().encode(bracketed ? begin + text.replaceAll(begin, '').replaceAll(end, '') + end : text)
}
