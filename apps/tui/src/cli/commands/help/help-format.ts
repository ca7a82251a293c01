import type { Translator } from '@qd/core/i18n'
import type { Argument, Option } from 'commander'
import { padTo, widthOf } from '../../../base/output/width.ts'
import { wrapText } from '../../../screen/terminal/line.ts'
import { helpText } from '../command.ts'
import type { FlagOption, Parser } from '../parser.ts'
import { uiFlags } from '../tree.ts'

type Line = readonly [term: string, text: string]

/** In order (behaviour C-26). `global`: flags of every command. */
export interface HelpParts {
  usage: string
  about: string
  examples: readonly string[]
  commands: readonly Line[]
  args: readonly Line[]
  flags: readonly Line[]
  global: readonly Line[]
}

export function helpParts(command: Parser, translator: Translator): HelpParts {
  const { t } = translator
  const isGroup = command.commands.length > 0
  const { help, examples = [] } = command.about
  const words = isGroup ? t('ui.cli.help.command') : command.registeredArguments.map(wordOf).join(' ')
  const flagLines = (options: readonly Option[]) =>
    options
      .filter(({ hidden }) => !hidden)
      .map((option): Line => [termOf(option as FlagOption), helpText(translator, (option as FlagOption).help)])
  return {
    usage: [command.path(), words, t('ui.cli.help.flags')].filter(Boolean).join(' '),
    about: helpText(translator, help),
    examples,
    commands: command.commands.map((child): Line => [child.name(), helpText(translator, (child as Parser).about.help)]),
    args: command.registeredArguments.map((argument): Line => {
      const name = argument.name()
      return [name, helpText(translator, command.about.argHelp?.[name] ?? `ui.cli.args.${name}`)]
    }),
    flags: flagLines(command.options),
    global: flagLines(
      (command.ancestors().at(-1) ?? command).options.filter(
        ({ long }) => !uiFlags.some(({ flags }) => flags === long),
      ),
    ),
  }
}

export function formatHelp(command: Parser, { translator, width }: { translator: Translator; width: number }): string {
  const { t } = translator
  const { usage, about, examples, commands, args, flags, global } = helpParts(command, translator)
  const isRoot = command.parent === null
  const sections = [
    `${t('ui.cli.help.usage')} ${usage}`,
    wrap(about, width, 0),
    examples.length > 0 ? [t('ui.cli.help.examples'), ...examples.map((example) => `  qd ${example}`)].join('\n') : '',
    section(t('ui.cli.help.commands'), commands, width),
    section(t('ui.cli.help.arguments'), args, width),
    section(t(isRoot ? 'ui.cli.help.globalFlags' : 'ui.cli.help.ownFlags'), flags, width),
    commands.length > 0 ? '' : section(t('ui.cli.help.globalFlags'), global, width),
    isRoot ? t('ui.cli.help.more') : '',
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function termOf({ flags, also }: FlagOption): string {
  return also === null ? flags : flags.replace(/^\S+/, (name) => `${name}, ${also}`)
}

function wordOf(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '…' : ''}`
  return argument.required ? `<${word}>` : `[${word}]`
}

function section(title: string, lines: readonly Line[], width: number): string {
  if (lines.length === 0) return ''
  const column = Math.min(28, Math.max(...lines.map(([term]) => widthOf(term)))) + 4
  const texts = lines.map(([term, text]) => {
    const head = `  ${padTo(term, column - 2, 'left')}`
    const body = wrap(text, width, column)
    return widthOf(term) > column - 4 ? `  ${term}\n${' '.repeat(column)}${body}` : head + body
  })
  return [title, ...texts].join('\n')
}

function wrap(text: string, width: number, indent: number): string {
  return wrapText(text, Math.max(20, width - indent)).join(`\n${' '.repeat(indent)}`)
}
