import { AppError } from '@qd/core/errors'
import type { Translator } from '@qd/core/i18n'
import { nearest } from '@qd/core/targets'
import { Command as Commander, Option } from 'commander'
import { type Command, type CommandGroup, type Flag, type FlagValues, helpText } from './command.ts'
import { formatHelp, type HelpTexts } from './help-format.ts'

/** Called with what was typed once it is a command of ours. */
export type Start = (command: Command, args: readonly (string | undefined)[], flags: FlagValues) => Promise<void>

/**
 * The hooks by which commander tells what it cannot read, in words of ours: it knows them as methods without declaring their types.
 * Version 14.0.3 is pinned; program.test.ts holds each hook.
 */
class Parser extends Commander {
  override createCommand(name?: string): Parser {
    return new Parser(name)
  }
  override help(): never {
    this.outputHelp()
    throw new AppError('usage', { reason: 'shownHelp' })
  }
  missingArgument(name: string): never {
    throw usage('missingArgument', { name, try: `${this.path()} --help` })
  }
  optionMissingArgument(option: Option): never {
    throw usage('missingValue', { flag: option.flags })
  }
  unknownOption(flag: string): never {
    const known = [this, ...this.ancestors()].flatMap(({ options }) => options.map(({ long }) => long ?? ''))
    throw usage('unknownFlag', { flag, near: nearest(flag.replace(/=.*/, ''), known), try: `${this.path()} --help` })
  }
  unknownCommand(): never {
    const [name = ''] = this.args
    throw unknownWord(this, name)
  }
  _excessArguments(args: readonly string[]): never {
    if (this.commands.length > 0) throw unknownWord(this, args[0]!)
    throw usage('excessArgument', { text: args[this.registeredArguments.length] ?? '', try: `${this.path()} --help` })
  }
  ancestors(): Commander[] {
    return this.parent ? [this.parent, ...(this.parent as Parser).ancestors()] : []
  }
  path(): string {
    return [...this.ancestors().reverse(), this].map((command) => command.name()).join(' ')
  }
}

function usage(reason: string, params: Record<string, string | readonly string[]>): AppError {
  return new AppError('usage', { reason, ...params })
}

function unknownWord(parser: Parser, name: string): AppError {
  const near = nearest(
    name,
    parser.commands.map((command) => command.name()),
  )
  const path = parser.path()
  return usage('unknownCommand', { name, path, near, try: near[0] ? `${path} ${near[0]}` : `${path} --help` })
}

/** Builds the parser of the whole command line. */
export function createParser(options: {
  tree: readonly (Command | CommandGroup)[]
  globalFlags: readonly Flag[]
  translator: Translator
  width: number
  write(text: string): void
  start: Start
}): { parse(args: readonly string[]): Promise<void>; help(): string } {
  const { tree, globalFlags, translator, width, write, start } = options
  const texts: HelpTexts = { translator, width }
  const root = new Parser('qd').description('ui.cli.help.qd').helpCommand(false)
  root.configureHelp({ formatHelp: (command) => formatHelp(command as Commander, texts) })
  root.configureOutput({ writeOut: write, writeErr: write })
  root.option('--version', 'ui.cli.flags.version')
  for (const flag of globalFlags) root.addOption(toOption(flag, translator))
  for (const entry of tree) {
    if (!('commands' in entry)) addCommand(root, entry)
    else {
      const group = root.command(entry.name).description(helpText(translator, entry.help)).helpCommand(false)
      for (const command of entry.commands) addCommand(group, command)
    }
  }

  function addCommand(parent: Commander, command: Command): void {
    const added = parent.command(command.args ? `${command.name} ${command.args}` : command.name)
    added.description(helpText(translator, command.help)).exitOverride()
    for (const flag of flagsOf(command)) added.addOption(toOption(flag, translator))
    Object.assign(added, { examples: command.examples })
    added.action((...given: unknown[]) =>
      start(
        command,
        given.slice(0, added.registeredArguments.length) as (string | undefined)[],
        added.optsWithGlobals(),
      ),
    )
  }
  root.exitOverride()
  return {
    parse: async (args) => void (await root.parseAsync([...args], { from: 'user' })),
    help: () => root.helpInformation(),
  }
}

/** Every command has `--timeout`; where the command waits for something it is the limit of that, else of one request. */
function flagsOf(command: Command): readonly Flag[] {
  const own = command.flags ?? []
  return hasOwnTimeout(command) ? own : [...own, { flags: '--timeout <time>', help: 'ui.cli.flags.connectTimeout' }]
}

/** True for a command whose `--timeout` is not about requests. */
export function hasOwnTimeout({ flags = [] }: Command): boolean {
  return flags.some((flag) => flag.flags.startsWith('--timeout'))
}

function toOption({ flags, help, many, hidden }: Flag, translator: Translator): Option {
  const option = new Option(flags, helpText(translator, help)).hideHelp(hidden === true)
  return many
    ? option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
    : option
}
