const isPlain = (text: string) => /^[\w.+/=@:-]+$/.test(text)

/** A word as a POSIX shell reads it back. */
export const inShell = (text: string): string => (isPlain(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** A text as PowerShell reads it back. It takes typographic quotes for plain ones. */
export const inPowerShell = (text: string): string =>
  isPlain(text) ? `"${text}"` : `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
