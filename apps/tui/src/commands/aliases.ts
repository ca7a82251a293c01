import { nouns, verbs } from '../state/word-aliases.ts'
import type { Command, CommandGroup, Flag } from './command.ts'

/**
 * A command line with aliases and plurals (`qd tasks list`, `qd servers rm web-1`) in the words of the tree. A word that is a command of
 * its own is never taken for another; names, values of flags and what stands behind `--` are left alone.
 */
export function withoutAliases(
  args: readonly string[],
  { tree, globalFlags }: { tree: readonly (Command | CommandGroup)[]; globalFlags: readonly Flag[] },
): readonly string[] {
  const takesValue = (arg: string) => globalFlags.some(({ flags }) => flags.startsWith(`${arg} <`))
  const plainFrom = (start: number): number => {
    for (let at = start; at < args.length && args[at] !== '--'; at++) {
      if (!args[at]!.startsWith('-')) return at
      if (takesValue(args[at]!)) at++
    }
    return -1
  }
  const known = (name: string) => tree.find((entry) => entry.name === name)
  const first = plainFrom(0)
  if (first < 0) return args
  const noun = args[first]!
  const singular = noun.endsWith('s') ? noun.slice(0, -1) : noun
  const meant = known(noun) ? [noun] : (nouns[noun] ?? [known(singular) ? singular : noun])
  const words = [...args]
  const group = known(meant[0]!)
  const second = plainFrom(first + 1)
  const verb = second < 0 || meant.length > 1 ? undefined : verbs[args[second]!]
  if (verb !== undefined && group && 'commands' in group) {
    const has = (name: string) => group.commands.some((command) => command.name === name)
    if (!has(args[second]!) && has(verb)) words[second] = verb
  }
  words.splice(first, 1, ...meant)
  return words
}
