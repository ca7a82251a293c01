import { type Aliases, expandAlias, lineWords, nouns, singularOf, verbs } from '../../screen/state/own-aliases.ts'
import type { Command, CommandGroup, Flag } from './command.ts'

export interface Grammar {
  readonly tree: readonly (Command | CommandGroup)[]
  readonly globalFlags: readonly Flag[]
}

/** Index of the first word from `start` that is neither a flag nor its value; -1 if there is none before `--`. */
function plainWordFrom(args: readonly string[], start: number, globalFlags: readonly Flag[]): number {
  const takesValue = (arg: string) => globalFlags.some(({ flags }) => flags.startsWith(`${arg} <`))
  for (let at = start; at < args.length && args[at] !== '--'; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-')) return at
    if (takesValue(arg)) at++
  }
  return -1
}

/** Whether a word is a command, its plural, or a built-in alias. */
export function isTaken(word: string, tree: Grammar['tree']): boolean {
  const names = [word, singularOf(word)]
  const others: readonly string[] = [...Object.keys(nouns), ...lineWords]
  return tree.some(({ name }) => names.includes(name)) || others.includes(word)
}

export function commandOf(args: readonly string[], grammar: Grammar): string | null {
  const meant = withoutAliases(args, grammar)
  const at = plainWordFrom(meant, 0, grammar.globalFlags)
  return grammar.tree.find(({ name }) => name === meant[at])?.name ?? null
}

/** Commands take precedence. `isWhole`: the line will run, so a missing `$1` is refused. Errors: `usage`. */
export function withOwnAliases(
  args: readonly string[],
  from: Grammar & { aliases(): Aliases; isWhole: boolean },
): readonly string[] {
  const at = plainWordFrom(args, 0, from.globalFlags)
  const word = args[at]
  if (word === undefined || isTaken(word, from.tree)) return args
  const alias = new Map(Object.entries(from.aliases())).get(word)
  return alias === undefined ? args : [...args.slice(0, at), ...expandAlias(alias, args.slice(at + 1), from)]
}

/** `qd tasks list`, `qd servers rm web-1`. Leaves commands, names, flag values and everything behind `--` alone. */
export function withoutAliases(args: readonly string[], { tree, globalFlags }: Grammar): readonly string[] {
  const plainFrom = (start: number) => plainWordFrom(args, start, globalFlags)
  const known = (name: string) => tree.find((entry) => entry.name === name)
  const first = plainFrom(0)
  if (first < 0) return args
  const noun = args[first] ?? ''
  const singular = singularOf(noun)
  const meant = known(noun) ? [noun] : (nouns[noun] ?? [known(singular) ? singular : noun])
  const words = [...args]
  const group = known(meant[0] ?? '')
  const second = plainFrom(first + 1)
  const typed = args[second] ?? ''
  const verb = meant.length > 1 ? undefined : verbs[typed]
  if (verb !== undefined && group && 'commands' in group) {
    const has = (name: string) => group.commands.some((command) => command.name === name)
    if (!has(typed) && has(verb)) words[second] = verb
  }
  words.splice(first, 1, ...meant)
  return words
}
