import { type Grammar, lineWithCommand, quoted, withoutAliases } from '@qd/core/actions'
import { type AppError, usageError } from '@qd/core/errors'
import { nearest } from '@qd/core/targets'
import { Command as Commander, Option } from 'commander'
import type { Command, CommandGroup, Flag, FlagValues, HelpText } from './command.ts'
import { outputFlag, outputsOf, withOutput } from './flags/flags.ts'

export type Start = (command: Command, args: readonly (string | undefined)[], flags: FlagValues) => Promise<void>

/** Stops parsing to show help; not an error. `isError`: a command was missing. */
export class HelpRequested extends Error {
  readonly parser: Parser
  readonly isError: boolean
  constructor(parser: Parser, { isError }: { isError: boolean }) {
    super('help')
    this.parser = parser
    this.isError = isError
  }
}

/** Overrides commander's error methods, which its types don't declare. Version 14.0.3 is pinned; program.test.ts checks each. */
export class Parser extends Commander {
  declare readonly rawArgs: readonly string[]
  readonly about: Pick<Command, 'help'> & Partial<Pick<Command, 'examples' | 'argHelp' | 'isDefault' | 'tail'>>
  readonly grammar: Grammar | null
  constructor(name: string, about: Parser['about'], grammar: Grammar | null = null) {
    super(name)
    this.about = about
    this.grammar = grammar
    this.exitOverride().helpCommand(false)
  }
  override help(): never {
    throw new HelpRequested(this, { isError: true })
  }
  override outputHelp(): never {
    const [word = '-'] = this.args
    if (this.commands.length > 0 && !word.startsWith('-')) throw unknownWord(this, word)
    throw new HelpRequested(this, { isError: false })
  }
  missingArgument(name: string): never {
    throw usageError('missingArgument', { name, try: `${this.path()} --help` })
  }
  optionMissingArgument(option: Option): never {
    throw usageError('missingValue', { flag: option.flags })
  }
  unknownOption(flag: string): never {
    const [word = '-'] = this.args
    if (this.commands.length > 0 && !word.startsWith('-')) throw unknownWord(this, word)
    const known = [this, ...this.ancestors()].flatMap(({ options }) => options.map(({ long }) => long ?? ''))
    throw usageError('unknownFlag', {
      flag,
      near: nearest(flag.replace(/=.*/, ''), known),
      try: this.commandApart() ?? `${this.path()} --help`,
    })
  }
  /** The line with a missing `--` before a command for hosts: `exec web-1 ls -l`; null otherwise. */
  private commandApart(): string | null {
    const [name = '-', ...command] = this.args
    const isMeant = this.about.tail && !name.startsWith('-') && /^[^-]/.test(command[0] ?? '')
    const isApart = (this.ancestors().at(-1) as Parser | undefined)?.rawArgs.includes('--')
    return isMeant && !isApart ? lineWithCommand(`${this.path()} ${quoted(name)}`, command) : null
  }
  unknownCommand(): never {
    const [name = ''] = this.args
    throw unknownWord(this, name)
  }
  _excessArguments(args: readonly string[]): never {
    if (this.commands.length > 0) throw unknownWord(this, args[0] ?? '')
    if (this.about.isDefault) throw unknownWord(this.parent as Parser, args[0] ?? '')
    throw usageError('excessArgument', {
      text: args[this.registeredArguments.length] ?? '',
      try: `${this.path()} --help`,
    })
  }
  ancestors(): Commander[] {
    return this.parent ? [this.parent, ...(this.parent as Parser).ancestors()] : []
  }
  path(): string {
    return [...this.ancestors().reverse(), this].map((command) => command.name()).join(' ')
  }
}

export class FlagOption extends Option {
  readonly help: HelpText
  readonly also: string | null
  constructor({ flags, help, hidden, also }: Flag) {
    super(flags)
    this.help = help
    this.also = also ?? null
    this.hideHelp(hidden !== undefined)
  }
}

function unknownWord(parser: Parser, name: string): AppError {
  const path = parser.path()
  const turned = turnedAround(parser, name)
  if (turned) return usageError('unknownCommand', { name, path, near: [], try: `${path} ${turned}` })
  const near = nearest(
    name,
    parser.commands.map((command) => command.name()),
  )
  return usageError('unknownCommand', { name, path, near, try: near[0] ? `${path} ${near[0]}` : `${path} --help` })
}

/** The line in our order for a verb first, as in kubectl: `rm server web-1`; null otherwise. */
function turnedAround({ args, grammar }: Parser, verb: string): string | null {
  const [, typed, ...names] = args
  if (args[0] !== verb || typed === undefined || !grammar) return null
  const flag = names.findIndex((word) => word.startsWith('-'))
  // A word after a flag may be its value.
  const known = names.slice(0, flag < 0 ? names.length : flag)
  const [noun, ...words] = withoutAliases([typed, verb, ...known], grammar)
  const group = grammar.tree.find(({ name }) => name === noun)
  if (!group || !('commands' in group)) return null
  if (group.commands.every(({ name }) => name !== words[0])) return `${noun} --help`
  return [noun, ...words.map(quoted)].join(' ')
}

/** Builds only the groups that are among the words. Errors: AppError `usage`, and `HelpRequested`. */
export function createParser(options: {
  tree: readonly (Command | CommandGroup)[]
  globalFlags: readonly Flag[]
  uiFlags: readonly Flag[]
  open(flags: FlagValues): Promise<void>
  start: Start
}): (args: readonly string[]) => Promise<void> {
  const { tree, globalFlags, uiFlags, open, start } = options
  return async (args) => {
    const root = new Parser('qd', { help: 'ui.cli.help.qd' }, { tree, globalFlags })
    for (const flag of [...uiFlags, ...globalFlags]) root.addOption(new FlagOption(flag))
    root.action(() => open(root.opts()))
    for (const entry of tree) {
      if (!('commands' in entry)) addCommand(root, entry, args)
      else {
        const group = new Parser(entry.name, entry).copyInheritedSettings(root) as Parser
        root.addCommand(group)
        if (args.includes(entry.name)) for (const command of entry.commands) addCommand(group, command, args)
      }
    }
    await root.parseAsync([...args], { from: 'user' })
  }

  function addCommand(parent: Parser, command: Command, args: readonly string[]): void {
    const added = new Parser(command.name, command).copyInheritedSettings(parent) as Parser
    if (command.args) added.arguments(command.args)
    const isMeant = command.isDefault || args.includes(command.name)
    const known = isMeant ? flagsOf(command) : []
    const outputs = outputsOf(command)
    for (const flag of known) added.addOption(new FlagOption(flag))
    if (isMeant && outputs.length > 0 && !known.includes(outputFlag))
      added.addOption(new FlagOption({ ...outputFlag, hidden: true }))
    const words = added.registeredArguments.length
    added.action((...given: unknown[]) => {
      demandDistinct(parent, known)
      const flags = withOutput(added.optsWithGlobals(), outputs)
      return start(command, given.slice(0, words) as (string | undefined)[], flags)
    })
    parent.addCommand(added, command.isDefault ? { isDefault: true } : {})
  }
}

/** Errors: `usage` for a global flag whose name is a field here: `--url` behind `notification create`. */
function demandDistinct(parent: Commander, own: readonly Flag[]): void {
  const root = parent.parent ?? parent
  const names = own.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])
  for (const option of root.options) {
    const field = names.find((name) => name === `${option.long}-file`)
    if (field && root.getOptionValueSource(option.attributeName()) === 'cli')
      throw usageError('fieldFlag', { flag: option.long!, field, try: `${field} FILE` })
  }
}

/** `--timeout` limits the command's wait if it has one, else each request. */
function flagsOf(command: Command): readonly Flag[] {
  const own = command.flags ?? []
  return hasOwnTimeout(command) ? own : [...own, { flags: '--timeout <time>', help: 'ui.cli.flags.connectTimeout' }]
}

export function hasOwnTimeout({ flags = [] }: Command): boolean {
  return flags.some((flag) => flag.flags.startsWith('--timeout'))
}
