import { AppError } from '@qd/core/errors'

/** Foreign terms as aliases of our commands, for `qd` and the `:` line. */
export const nouns: Readonly<Record<string, readonly string[]>> = {
  task: ['cron'],
  tasks: ['cron'],
  alert: ['alert-rule'],
  alerts: ['alert-rule'],
  notifier: ['notification'],
  notifiers: ['notification'],
  ssh: ['server', 'shell'],
}

/** `server` for `servers`, `process` for `processes`. */
export const singularOf = (noun: string): string => noun.replace(/(?<=s)es$|s$/, '')

export const lineWords = ['activity', 'quit'] as const

export const verbs: Readonly<Record<string, string>> = {
  list: 'ls',
  show: 'get',
  describe: 'get',
  rm: 'delete',
}

export type Aliases = Readonly<Record<string, string>>

/** Splits like a shell; null if a quote is open. */
export function wordsOf(line: string): readonly string[] | null {
  const { words, quote } = splitLine(`${line} `)
  return quote === '' ? words : null
}

/** Fills `$1` to `$9` and appends the rest; `missing` replaces absent arguments. */
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

/** Expands an alias with its arguments: `$1` to `$9`, others appended. Errors: `usage` if an argument is missing from a complete line. */
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

/** Expands an alias at the start of a `:` line. Missing arguments are left out. */
export function expandLine(typed: string, aliases: Aliases): string {
  const [, name = '', rest = ''] = /^(\S*)(.*)$/s.exec(typed) ?? []
  const line = aliases[name]!
  if (!/\$[1-9]/.test(line)) return line + rest
  return filled([line], rest.split(/\s+/).filter(Boolean), () => '').join(' ')
}

export interface TypedLine {
  words: readonly string[]
  current: string
  quote: '"' | "'" | ''
}

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
