import { AppError } from '@qd/core/errors'

/** Words from other programs, with our commands for them; for `qd` and for the line after `:`. */
export const nouns: Readonly<Record<string, readonly string[]>> = {
  task: ['cron'],
  tasks: ['cron'],
  alert: ['alert-rule'],
  alerts: ['alert-rule'],
  notifier: ['notification'],
  notifiers: ['notification'],
  ssh: ['server', 'shell'],
}

/** Words of the line after `:` that `qd` has no command for. */
export const lineWords = ['activity', 'quit'] as const

/** The same for the words below an entity, unless it has such a command itself. */
export const verbs: Readonly<Record<string, string>> = {
  list: 'ls',
  show: 'get',
  describe: 'get',
  rm: 'delete',
}

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

/** A command line up to the cursor: the finished words, and the one being typed without its quotes. */
export interface TypedLine {
  words: readonly string[]
  current: string
  /** The quote that is open at the cursor, or nothing. */
  quote: '"' | "'" | ''
}

/** Splits a line as a POSIX shell does. */
export function splitLine(line: string): TypedLine {
  const words: string[] = []
  let current = ''
  let quote: TypedLine['quote'] = ''
  let isOpen = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quote === '' && /\s/.test(character)) {
      if (isOpen) words.push(current)
      current = ''
      isOpen = false
      continue
    }
    isOpen = true
    if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === '\\' && quote !== "'" && at + 1 < line.length) current += line[++at]
    else current += character
  }
  return { words, current, quote }
}
