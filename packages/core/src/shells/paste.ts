/** A larger paste is refused before anything is sent (behaviour W-05). */
export const pasteLimitBytes = 512 * 1024

/** What a paste would do, for the question before it. */
export interface Paste {
  /** As it goes to the shell: line ends are carriage returns, as Enter sends them. */
  text: string
  bytes: number
  lines: number
  isTooLarge: boolean
  /** The shell would run its lines at once, because it does not know where a paste begins and ends. */
  runsLines: boolean
}

/** Looks at a text that is to be pasted. `bracketed`: the shell asked for marks around a paste. */
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

/** The bytes of a paste. Marks inside the text itself are taken out: they would end the paste before its end. */
export function pasteBytes({ text }: Pick<Paste, 'text'>, { bracketed }: { bracketed: boolean }): Uint8Array {
  const [begin, end] = ['\u001b[200~', '\u001b[201~']
  return new TextEncoder().encode(bracketed ? begin + text.replaceAll(begin, '').replaceAll(end, '') + end : text)
}
