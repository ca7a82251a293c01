/** Control characters, direction overrides and others that change how a text looks (behaviour S-40). */
const hostile = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

function picture(control: string): string {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

export function cleanLine(text: string, most: number): string {
  const clean = text.slice(0, most * 2).replace(hostile, picture)
  return [...clean].slice(0, most).join('')
}

/** Keeps line ends and tabs; a lone carriage return becomes a line end. */
export function cleanOutput(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(hostile, (control) => (control === '\n' || control === '\t' ? control : picture(control)))
}
