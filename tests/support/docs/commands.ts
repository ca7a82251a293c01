import type { Translator } from '@qd/core/i18n'
import type { Command, CommandGroup } from '../../../apps/tui/src/cli/commands/command.ts'
import { globalFlags } from '../../../apps/tui/src/cli/commands/flags/flags.ts'
import { type HelpParts, helpParts } from '../../../apps/tui/src/cli/commands/help/help-format.ts'
import { createParser, HelpRequested } from '../../../apps/tui/src/cli/commands/parser.ts'
import { commandTree, uiFlags } from '../../../apps/tui/src/cli/commands/tree.ts'
import type { Pages } from './markdown.ts'
import { block, code, paragraphs, plain, table } from './markdown.ts'

/** A page for each first word of `qd`, and one of all of them. */
export async function commandPages(translator: Translator): Promise<Pages> {
  const tree: readonly (Command | CommandGroup)[] = commandTree()
  const parse = createParser({ tree, globalFlags, uiFlags, open: async () => {}, start: async () => {} })
  const partsOf = async (...words: string[]): Promise<HelpParts> => {
    const thrown = await parse([...words, '--help']).catch((error: unknown) => error)
    if (!(thrown instanceof HelpRequested)) throw thrown
    return helpParts(thrown.parser, translator)
  }
  const sectionOf = async (words: readonly string[]) => {
    const { usage, about, examples, args, flags } = await partsOf(...words)
    return [
      `${plain(about)}.`,
      block(
        'sh',
        examples.map((example) => `qd ${example}`),
      ),
      `Usage: ${code(usage)}`,
      table(['Argument', 'Meaning'], args.map(codeFirst)),
      table(['Flag', 'Meaning'], flags.map(codeFirst)),
    ]
  }
  const root = await partsOf()
  const pages: Pages = {
    'qd.md': paragraphs([
      '# Commands of `qd`',
      'Every command with its flags, as `qd COMMAND --help` prints it.',
      block('sh', ['qd help', 'qd server ls --help']),
      table(
        ['Command', 'About'],
        root.commands.map(([name, about]) => [`[\`qd ${name}\`](qd-${name}.md)`, plain(about)]),
      ),
      '## Flags of every command',
      table(['Flag', 'Meaning'], root.global.map(codeFirst)),
      '## Flags of `qd` alone',
      'Without a command, `qd` opens the terminal UI.',
      table(
        ['Flag', 'Meaning'],
        root.flags.filter((flag) => !root.global.some(([term]) => term === flag[0])).map(codeFirst),
      ),
    ]),
  }
  for (const entry of tree) {
    const group = await partsOf(entry.name)
    const sections =
      'commands' in entry
        ? await Promise.all(
            group.commands.map(async ([name]) => [
              `## \`qd ${entry.name} ${name}\``,
              ...(await sectionOf([entry.name, name])),
            ]),
          )
        : [await sectionOf([entry.name])]
    const first = 'commands' in entry ? entry.commands[0]?.examples[0] : undefined
    pages[`qd-${entry.name}.md`] = paragraphs([
      `# \`qd ${entry.name}\``,
      ...('commands' in entry ? [`${plain(group.about)}.`, first ? block('sh', [`qd ${first}`]) : ''] : []),
      table(
        ['Command', 'About'],
        group.commands.map(([name, about]) => [`[\`${name}\`](#qd-${entry.name}-${name})`, plain(about)]),
      ),
      ...sections.flat(),
      'All commands also take [the flags of every command](qd.md#flags-of-every-command).',
    ])
  }
  return pages
}

const codeFirst = ([term, text]: readonly [string, string]) => [code(term), plain(text)]
