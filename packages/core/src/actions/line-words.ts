import { AppError, defined, firstItem, toAppError, usageError } from '../errors.ts'

/** Foreign terms as aliases of our commands, for `qd` and the `:` line. */
const nouns = new Map([
  ['task', ['cron']],
  ['tasks', ['cron']],
  ['alert', ['alert-rule']],
  ['alerts', ['alert-rule']],
  ['notifier', ['notification']],
  ['notifiers', ['notification']],
  ['ssh', ['server', 'shell']],
])

const verbs: ReadonlyMap<string, string> = new Map([
  ['list', 'ls'],
  ['show', 'get'],
  ['describe', 'get'],
  ['rm', 'delete'],
])

/** Words of the `:` line alone. */
const lineWords = ['activity', 'quit']

/** `server` for `servers`, `process` for `processes`. */
const singularOf = (noun: string): string => noun.replace(/(?<=s)es$|s$/, '')

/** The words that a first word means: `cron` for `tasks`, `server shell` for `ssh`. */
export function nounFor(noun: string, isKnown: (name: string) => boolean): readonly string[] {
  const singular = singularOf(noun)
  return isKnown(noun) ? [noun] : (nouns.get(noun) ?? [isKnown(singular) ? singular : noun])
}

export const verbFor = (verb: string): string => verbs.get(verb) ?? verb

/** Whether a word is a command, its plural, or a built-in alias. */
export function isTaken(word: string, commands: readonly string[]): boolean {
  return [word, singularOf(word)].some((name) => commands.includes(name)) || nouns.has(word) || lineWords.includes(word)
}

/** The commands of `qd`, those of a group below it, and the flags of all, such as `--user <name>`. */
export interface Grammar {
  readonly tree: readonly { readonly name: string; readonly commands?: readonly { readonly name: string }[] }[]
  readonly globalFlags: readonly { readonly flags: string }[]
}

const commandNames = ({ tree }: Pick<Grammar, 'tree'>): readonly string[] => tree.map(({ name }) => name)

/** Index of the first word from `start` that is neither a flag nor its value; -1 if there is none before `--`. */
function plainWordFrom(args: readonly string[], start: number, { globalFlags }: Grammar): number {
  const takesValue = (arg: string) => globalFlags.some(({ flags }) => flags.startsWith(`${arg} <`))
  for (let at = start; at < args.length && args[at] !== '--'; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-')) return at
    if (takesValue(arg)) at++
  }
  return -1
}

export function commandOf(args: readonly string[], grammar: Grammar): string | null {
  const meant = withoutAliases(args, grammar)
  const at = plainWordFrom(meant, 0, grammar)
  return commandNames(grammar).find((name) => name === meant[at]) ?? null
}

/** `qd tasks list`, `qd servers rm web-1`. Leaves commands, names, flag values and everything behind `--` alone. */
export function withoutAliases(args: readonly string[], grammar: Grammar): readonly string[] {
  const first = plainWordFrom(args, 0, grammar)
  if (first < 0) return args
  const meant = nounFor(defined(args[first]), (name) => commandNames(grammar).includes(name))
  const second = plainWordFrom(args, first + 1, grammar)
  const group = meant.length > 1 ? undefined : grammar.tree.find(({ name }) => name === meant[0])
  const has = (verb: string) => group?.commands?.some(({ name }) => name === verb) ?? false
  const typed = args[second] ?? ''
  const words = has(verbFor(typed)) && !has(typed) ? args.with(second, verbFor(typed)) : args
  return words.toSpliced(first, 1, ...meant)
}

export type Aliases = Readonly<Record<string, string>>

/** Commands take precedence. `isWhole`: the line will run, so a missing `$1` is refused. Errors: `usage`. */
export function withOwnAliases(
  args: readonly string[],
  from: Grammar & { aliases(): Aliases; isWhole: boolean },
): readonly string[] {
  const at = plainWordFrom(args, 0, from)
  const word = args[at]
  if (word === undefined || isTaken(word, commandNames(from))) return args
  const aliases = from.aliases()
  if (!Object.hasOwn(aliases, word)) return args
  const expanded = filled(wordsOf(aliases[word] ?? '') ?? [], args.slice(at + 1), (name) => {
    if (from.isWhole) throw usageError('missingArgument', { name, try: `qd alias ls` })
    return name
  })
  return [...args.slice(0, at), ...expanded]
}

/** Expands an alias at the start of a `:` line. Missing arguments are left out. */
export function expandLine(typed: string, aliases: Aliases): string {
  const [, name = '', rest = ''] = /^(\S*)(.*)$/s.exec(typed) ?? []
  const line = aliases[name] ?? ''
  if (!/\$[1-9]/.test(line)) return line + rest
  return filled([line], rest.split(/\s+/).filter(Boolean), () => '').join(' ')
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

export interface TypedLine {
  words: readonly string[]
  current: string
  quote: '"' | "'" | ''
}

/** Splits like a shell; null if a quote is open. */
export function wordsOf(line: string): readonly string[] | null {
  const { words, quote } = splitLine(`${line} `)
  return quote === '' ? words : null
}

export function splitLine(line: string): TypedLine {
  const words: string[] = []
  let current = ''
  let quote: TypedLine['quote'] = ''
  let isOpen = false
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
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

/** For hints: the command with another word. */
export const againWith = (command: string) => (word: string) => `${command} ${quoted(word)}`

export function quoted(word: string): string {
  return /^[\w.@:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Names before `--` and the command after it. One word is shell text, several are quoted. Errors: `usage` for a command from stdin. */
export function commandTail(
  args: readonly string[],
  words: readonly string[],
): { words: readonly string[]; rest: string | null } {
  const at = args.indexOf('--')
  if (at < 0) return { words, rest: null }
  const after = args.slice(at + 1)
  if (after.length === 0) return { words, rest: null }
  if (after.length === 1 && after[0] === '-') throw usageError('noStdin')
  const rest = after.length === 1 ? firstItem(after) : after.map(quoted).join(' ')
  return { words: words.slice(0, words.length - after.length), rest }
}

export const lineWithCommand = (line: string, command: readonly string[]): string =>
  `${line} -- ${command.length === 0 ? 'COMMAND' : command.map(quoted).join(' ')}`

export function lineWithFlag(args: readonly string[], flag: string): string {
  const at = args.indexOf('--')
  const words = args.map(quoted)
  return ['qd', ...words.toSpliced(at < 0 ? words.length : at, 0, flag)].join(' ')
}

/** Suggests `--` if a word names no record and the command is missing: `exec web-1 uptime`. Other errors stay. */
export function withCommandApart(
  thrown: unknown,
  { line, words }: { line: string; words: readonly string[] },
): unknown {
  const { code, params } = toAppError(thrown)
  if (code !== 'notFound' || words.length < 2) return thrown
  const at = words.indexOf(String(params.name))
  const near = typeof params.try === 'string' && params.try.startsWith(`${line} `) ? params.try : null
  const begun = at === 0 && near ? near : [line, ...words.slice(0, Math.max(1, at)).map(quoted)].join(' ')
  return new AppError(code, { ...params, try: lineWithCommand(begun, words.slice(Math.max(1, at))) })
}
