import { AppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { nearest } from '@qd/core/targets'
import { changeUserConfig } from '../../base/connect/config-file.ts'
import { plainTable } from '../../base/output/table.ts'
import { type Aliases, wordsOf } from '../../screen/state/own-aliases.ts'
import { commandOf, isTaken } from './aliases.ts'
import type { Cli } from './cli.ts'
import type { Command, CommandGroup } from './command.ts'
import { globalFlags } from './flags/common-flags.ts'
import { pickFields, resultFields, resultFlags } from './flags/output-flags.ts'

const fields = ['name', 'words'] as const
const longestWords = 1000

const ls: Command = {
  name: 'ls',
  help: 'ui.cli.commands.aliasLs',
  flags: resultFlags(() => fields),
  examples: ['alias ls'],
  async run(cli, _args, flags) {
    const wanted = resultFields(flags, fields)
    const aliases = Object.entries(cli.files().user.aliases).sort(([a], [b]) => a.localeCompare(b, 'en'))
    if (wanted) return cli.json(aliases.map(([name, words]) => pickFields({ name, words }, wanted)))
    for (const line of plainTable(
      ['NAME', 'WORDS'],
      aliases.map((alias) => alias.map(plainText)),
      cli.out,
    ))
      cli.print(line)
  },
}

const set = (tree: () => readonly (Command | CommandGroup)[]): Command => ({
  name: 'set',
  help: 'ui.cli.commands.aliasSet',
  args: '<name> <words>',
  argHelp: { name: 'ui.cli.args.alias' },
  examples: ["alias set busy 'server ls --select cpu>90'", "alias set on 'exec name:$1 --'"],
  flags: resultFlags(() => fields),
  async run(cli, [name = '', typed = ''], flags) {
    const wanted = resultFields(flags, fields)
    const words = typed.trim().replace(/^qd\s+/, '')
    const split = wordsOf(words)
    const refused = (reason: string) => new AppError('usage', { reason, name, text: typed, try: `qd alias set --help` })
    if (!/^[a-z][\w-]{0,31}$/i.test(name)) throw refused('badAlias')
    if (isTaken(name, tree())) throw refused('aliasTaken')
    if (split === null) throw refused('aliasQuote')
    if (words.length > longestWords) throw refused('aliasLong')
    if (commandOf(split, { tree: tree(), globalFlags }) === null) throw refused('aliasWords')
    await change(cli, (aliases) => ({ ...aliases, [name]: words }))
    cli.note(cli.translator.t('ui.cli.alias.saved', { name, words: plainText(words) }))
    if (wanted) cli.json(pickFields({ name, words }, wanted))
  },
})

const remove: Command = {
  name: 'delete',
  help: 'ui.cli.commands.aliasDelete',
  args: '<name>',
  argHelp: { name: 'ui.cli.args.alias' },
  values: { kind: 'aliases' },
  examples: ['alias delete busy'],
  flags: resultFlags(() => fields),
  async run(cli, [name = ''], flags) {
    const wanted = resultFields(flags, fields)
    let words = ''
    if (name.trim() === '') throw new AppError('usage', { reason: 'emptyName', try: 'qd alias ls' })
    await change(cli, ({ [name]: gone, ...others }) => {
      if (gone === undefined)
        throw new AppError('notFound', { name, near: nearest(name, Object.keys(others)), try: 'qd alias ls' })
      words = gone
      return others
    })
    cli.note(cli.translator.t('ui.cli.alias.deleted', { name: plainText(name) }))
    if (wanted) cli.json(pickFields({ name, words }, wanted))
  },
}

export const aliasGroup = (tree: () => readonly (Command | CommandGroup)[]): CommandGroup => ({
  name: 'alias',
  help: 'ui.cli.commands.alias',
  commands: [ls, set(tree), remove],
})

function change(cli: Cli, make: (aliases: Aliases) => Record<string, string>): Promise<void> {
  return changeUserConfig(cli.files().paths.config, cli.io.platform, (config) => ({
    ...config,
    aliases: make(config.aliases),
  }))
}
