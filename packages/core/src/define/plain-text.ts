/** Escapes control and direction characters, which a terminal would obey, and noncharacters, as `\xNN` or `\u{…}`. */
export function plainText(text: string): string {
  // Nearly all texts are printable ASCII, which is the fastest to see.
  if (/^[ -~]*$/.test(text)) return text
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef]/g, escaped)
}

/** Keeps line ends and tabs. */
export function plainLines(text: string): string {
  // One pass, because an output may have a million lines.
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef]/g,
      escaped,
    )
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}
