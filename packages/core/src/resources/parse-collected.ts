import { maxHostRows, type ParsedRows, plainText } from '../define/index.ts'
import { hostNameOf } from './host.ts'

const longestName = 256

/** Sections of a collector’s output by name; the first of a name counts. */
export function sectionsOf(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>()
  // A description that begins with the mark is no section: a line of a block begins with the name of its property.
  for (const part of `\n${text}`.split('\n#@ ').slice(1)) {
    const end = part.indexOf('\n')
    const name = (end < 0 ? part : part.slice(0, end)).trim()
    if (!sections.has(name)) sections.set(name, end < 0 ? '' : part.slice(end + 1))
  }
  return sections
}

/** One record of each name (`hostNameOf`), the first, at most so many. */
export function boundedRows(
  rows: Iterable<Readonly<Record<string, unknown>> & { readonly name: string }>,
): Extract<ParsedRows, { state: 'read' }> {
  const byName = new Map<string, Readonly<Record<string, unknown>>>()
  let left = 0
  for (const row of rows) {
    const name = hostNameOf(row)
    if (byName.has(name)) continue
    if (byName.size >= maxHostRows || name.length > longestName) left += 1
    else byName.set(name, row)
  }
  return { state: 'read', rows: [...byName.values()], left }
}

/** The option that is this word; null for any other. */
export function optionOf<Option extends string>(
  options: Readonly<Record<string, Option>>,
  word: string,
): Option | null {
  // Asked for each record: no list is made.
  for (const name in options) if (options[name] === word) return options[name] ?? null
  return null
}

/** Without control characters, at most so long. */
export function cut(text: string, longest: number): string {
  return plainText(text).slice(0, longest)
}
