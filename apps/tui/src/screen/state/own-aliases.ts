import { AppError } from '@qd/core/errors'
import { splitLine } from './typed-line.ts'

/** Own words for commands, with what they stand for. */
export type Aliases = Readonly<Record<string, string>>

/** The words of a line as a shell splits them; null if a quote is left open. */
export function wordsOf(line: string): readonly string[] | null {
  const { words, quote } = splitLine(`${line} `)
  return quote === '' ? words : null
}

/** Texts with what was typed in the places of `$1` to `$9`, and the rest behind them; `missing` stands in for what is not there. */
function filled(
  texts: readonly string[],
  given: readonly string[],
  missing: (place: string) => string,
): readonly string[] {
  const used = new Set<number>()
  const words = texts.map((text) =>
    text.replace(/\$([1-9])/g, (place, digit: string) => {
      used.add(Number(digit) - 1)
      return given[Number(digit) - 1] ?? missing(place)
    }),
  )
  return [...words, ...given.filter((_, at) => !used.has(at))]
}

/**
 * The words of an own alias with those that were typed behind it: `$1` to `$9` stand for them, the others follow. Errors: `usage` where the
 * line is whole and one that is asked for is missing.
 */
export function expandAlias(
  line: string,
  given: readonly string[],
  { isWhole }: { isWhole: boolean },
): readonly string[] {
  return filled(wordsOf(line) ?? [], given, (name) => {
    if (isWhole) throw new AppError('usage', { reason: 'missingArgument', name, try: `qd alias ls` })
    return name
  })
}

/** A line of the terminal UI that begins with an own alias, in the words it stands for. What is missing for `$1` is left out. */
export function expandLine(typed: string, aliases: Aliases): string {
  const [, name = '', rest = ''] = /^(\S*)(.*)$/s.exec(typed) ?? []
  const line = aliases[name]!
  if (!/\$[1-9]/.test(line)) return line + rest
  return filled([line], rest.split(/\s+/).filter(Boolean), () => '').join(' ')
}
