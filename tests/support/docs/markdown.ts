/** Texts of pages by their file's name. */
export type Pages = Record<string, string>

/** Text inside a page: no HTML and no braces that the site would run. */
export function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
}

/** Code inside a table. */
export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** A table; nothing without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return rows.length === 0 ? '' : [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A block of code. */
export function block(language: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`\`\`\`${language}`, ...lines, '```'].join('\n')
}

/** Paragraphs with an empty line between them; empty ones are left out. */
export function paragraphs(parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
