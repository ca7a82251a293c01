const isPlain = (text: string) => /^[\w.+/=@:-]+$/.test(text)

/** A text as PowerShell reads it back. It takes typographic quotes for plain ones. */
export const inPowerShell = (text: string): string =>
  isPlain(text) ? `"${text}"` : `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
