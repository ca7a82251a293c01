import type { Resource, ResourceName } from '@qd/core/define'
import { nounOf, oneOf, type Translator, textParts } from '@qd/core/i18n'
import type { Cli } from './cli.ts'

/** A text of help: a locale key, or made from the language's texts. */
export type HelpText = string | ((translator: Translator) => string)

/** The words of a help text. */
export function helpText(translator: Translator, text: HelpText): string {
  return typeof text === 'string' ? translator.say(text) : text(translator)
}

/** The words of a key that names records of a resource as they stand in a sentence: all of them, or one, which may be the only one there is. */
export function aboutResource(key: string, { name, wire }: Resource, number: 'one' | 'many' = 'many'): HelpText {
  return ({ say, language }) => {
    const noun = say(`resources.${name}.${number}`)
    const isOneOfMany = number === 'one' && wire.shape === 'many'
    return say(key, { resource: isOneOfMany ? oneOf(noun, language) : nounOf(noun, language) })
  }
}

/** What may stand for a value, for completion. `many`: several, with commas. `query`: terms of a query on these records. */
export type Values =
  | { kind: 'words'; words(): readonly string[]; many?: true }
  | { kind: 'records'; of: ResourceName; many?: true }
  | { kind: 'query'; of: ResourceName }
  | { kind: 'profiles' }
  | { kind: 'aliases' }
  | { kind: 'commands' }

/** One flag of a command. */
export interface Flag {
  /** As commander reads it: `-q, --quiet`, `--ids <list>`, `--json [fields]`. */
  flags: string
  help: HelpText
  /** Left out where the text of the flag says it: `<a|b>`, `<file>`. */
  values?: Values
  /** Its other name in help, such as `--tells`. */
  also?: string
  /** Another name for a flag, without a line of its own in help; one that stands beside it there completes. */
  hidden?: true | 'completed'
}

/** Values of flags by their camel-case names; a flag that was not given is missing. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** One command: everything that parsing, help and running need. */
export interface Command {
  name: string
  help: HelpText
  /** Arguments after the name, as commander reads them, such as `[query]`. */
  args?: string
  /** Help of arguments by name, if it isn't the common text at `ui.cli.args.<name>`. */
  argHelp?: Readonly<Record<string, HelpText>>
  values?: Values
  flags?: readonly Flag[]
  /** What is written without a flag that says otherwise, as `-o` names it. Left out: a table. */
  writes?: 'yaml'
  /** Shown first in help, without the leading `qd`. */
  examples: readonly string[]
  /** It begins without texts and loads them itself when it has something to say to a person: programs then start faster. */
  textsLater?: true
  /** Words after `--` are a command that hosts run. */
  tail?: true
  /** Of a group: what the group's name alone means. */
  isDefault?: true
  /** Errors: AppError. The number is the exit code, nothing means 0. */
  run(cli: Cli, args: readonly (string | undefined)[], flags: FlagValues): Promise<number | undefined>
}

/** A word with commands below it, e.g. `cron`. */
export interface CommandGroup {
  name: string
  help: HelpText
  commands: readonly Command[]
}

/** The text of a flag, or undefined if it was not given or has no value. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** The parts of a typed list. An empty text is one empty part: it is refused like any other word that nothing is called. */
export function listParts(text: string): string[] {
  const parts = textParts(text)
  return parts.length > 0 ? parts : ['']
}
