import type { Resource, ResourceName } from '@qd/core/define'
import { nounOf, oneOf, type Translator, textParts } from '@qd/core/i18n'
import type { Cli } from './cli.ts'

export type HelpText = string | ((translator: Translator) => string)

export function helpText(translator: Translator, text: HelpText): string {
  return typeof text === 'string' ? translator.say(text) : text(translator)
}

export function aboutResource(key: string, { name, wire }: Resource, number: 'one' | 'many' = 'many'): HelpText {
  return ({ say, language }) => {
    const noun = say(`resources.${name}.${number}`)
    const isOneOfMany = number === 'one' && wire.shape === 'many'
    return say(key, { resource: isOneOfMany ? oneOf(noun, language) : nounOf(noun, language) })
  }
}

/** For completion. `many`: several, with commas. `query`: terms of a query on these records. */
export type Values =
  | { kind: 'words'; words(): readonly string[]; many?: true }
  | { kind: 'records'; of: ResourceName; many?: true }
  | { kind: 'query'; of: ResourceName }
  | { kind: 'profiles' }
  | { kind: 'aliases' }
  | { kind: 'commands' }

export interface Flag {
  flags: string
  help: HelpText
  /** Omitted if the flag text says it: `<a|b>`, `<file>`. */
  values?: Values
  also?: string
  /** Hidden from help; `completed` is still completed. */
  hidden?: true | 'completed'
}

/** By camel-case name; missing if not given. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Command {
  name: string
  help: HelpText
  args?: string
  argHelp?: Readonly<Record<string, HelpText>>
  values?: Values
  flags?: readonly Flag[]
  /** Default output, as for `-o`. Omitted: a table. */
  writes?: 'yaml'
  examples: readonly string[]
  /** Loads texts itself only when needed, so that programs start faster. */
  textsLater?: true
  /** Words after `--` are a command for hosts. */
  tail?: true
  isDefault?: true
  /** Returns the exit code, by default 0. Errors: AppError. */
  run(cli: Cli, args: readonly (string | undefined)[], flags: FlagValues): Promise<number | undefined> | Promise<void>
}

export interface CommandGroup {
  name: string
  help: HelpText
  commands: readonly Command[]
}

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** Parts of a list. An empty text is one empty part, which is refused as an unknown name. */
export function listParts(text: string): string[] {
  const parts = textParts(text)
  return parts.length > 0 ? parts : ['']
}
