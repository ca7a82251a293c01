import type { Translator } from '@qd/core/i18n'
import type { Argument, Command as Commander, Option } from 'commander'
import { padTo, widthOf } from '../output/width.ts'

/** What help needs besides the command. */
export interface HelpTexts {
  translator: Translator
  /** Cells of a line. */
  width: number
}

type Line = readonly [term: string, text: string]

/** The help of one command: usage, what it is for, examples, then what can be written (behaviour C-26). */
export function formatHelp(command: Commander, { translator, width }: HelpTexts): string {
  const { t } = translator
  const path = pathOf(command)
  const isGroup = command.commands.length > 0
  const words = isGroup ? t('ui.cli.help.command') : command.registeredArguments.map(wordOf).join(' ')
  const examples = 'examples' in command ? (command.examples as readonly string[]) : []
  const own = command.options.filter(({ hidden }) => !hidden)
  const global = command.parent ? rootOf(command).options.filter(({ long }) => long !== '--version') : []
  const commands: Line[] = command.commands.map((child) => [child.name(), child.description()])
  const args: Line[] = command.registeredArguments.map((argument) => [
    argument.name(),
    translator.say(`ui.cli.args.${argument.name()}`),
  ])
  const sections = [
    `${t('ui.cli.help.usage')} ${[path, words, t('ui.cli.help.flags')].filter(Boolean).join(' ')}`,
    wrap(command.parent ? command.description() : translator.say(command.description()), width, 0),
    examples.length > 0
      ? `${t('ui.cli.help.examples')}\n${examples.map((example) => `  qd ${example}`).join('\n')}`
      : '',
    section(t('ui.cli.help.commands'), commands, width),
    section(t('ui.cli.help.arguments'), args, width),
    section(command.parent ? t('ui.cli.help.ownFlags') : t('ui.cli.help.globalFlags'), own.map(lineOf), width),
    isGroup ? '' : section(t('ui.cli.help.globalFlags'), global.map(lineOf), width),
    command.parent ? '' : t('ui.cli.help.more'),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function wordOf(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '…' : ''}`
  return argument.required ? `<${word}>` : `[${word}]`
}

function lineOf({ flags, description }: Option): Line {
  return [flags, description]
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

/** Lines no wider than `width` where blanks allow it; every line after the first is indented. */
function wrap(text: string, width: number, indent: number): string {
  const room = Math.max(20, width - indent)
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

function pathOf(command: Commander): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function rootOf(command: Commander): Commander {
  return command.parent ? rootOf(command.parent) : command
}
