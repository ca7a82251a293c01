import { commandOf, isTaken, wordsOf } from '@qd/core/actions'
import { AppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { nearest } from '@qd/core/targets'
import { readUserConfig, type UserConfig } from '../../base/connect/config-file.ts'
import { createSessionFile } from '../../base/connect/session-file.ts'
import { parseUrl, readGiven } from '../../base/connect/settings.ts'
import { plainTable } from '../../base/output/table.ts'
import type { Cli, Command, CommandGroup } from './command.ts'
import { globalFlags, withResult } from './flags/flags.ts'

const longestWords = 1000

const printTable = (cli: Cli, heads: readonly string[], rows: readonly (readonly string[])[]) => {
  for (const line of plainTable(heads, rows, cli.out)) cli.print(line)
}

const connectionArgs = { argHelp: { name: 'ui.cli.args.connection' } } as const
const savedConnection = { ...connectionArgs, values: { kind: 'profiles' } } as const

/** A change of the saved connections; `change` returns the name that the connection then has, and what to say. */
function changing({
  change,
  ...command
}: Omit<Command, 'run'> & {
  change(cli: Cli, args: readonly [name: string, second: string]): Promise<{ name: string; note: string }>
}): Command {
  return withResult(['name', 'current'], {
    ...command,
    async run(cli, [first, second]) {
      const { name, note } = await change(cli, [String(first), String(second)])
      cli.note(note)
      const { current = null } = readUserConfig(cli.files().paths.config, cli.io.platform)
      return { name, current }
    },
  })
}

export const profileGroup: CommandGroup = {
  name: 'profile',
  help: 'ui.cli.commands.profile',
  commands: [
    withResult(['name', 'url', 'user', 'token', 'current'], {
      name: 'ls',
      help: 'ui.cli.commands.profileLs',
      examples: ['profile ls'],
      async run(cli) {
        const { profiles, current } = cli.files().user
        return Object.entries(profiles).map(([name, { url = '', user = '', token }]) => ({
          ...{ name, url, user },
          token: token !== undefined,
          current: name === current,
        }))
      },
      print: (cli, list) =>
        printTable(
          cli,
          ['NAME', 'URL', 'USER', 'CURRENT'],
          list.map(({ name, url, user, current }) => [name, url, user, current ? '*' : '']),
        ),
    }),
    changing({
      ...connectionArgs,
      name: 'add',
      help: 'ui.cli.commands.profileAdd',
      args: '<name> <address>',
      examples: [
        'profile add prod https://status.example.net',
        'profile add ci https://status.example.net --token-file -',
      ],
      async change(cli, [name, address]) {
        const { tokenFile, user } = cli.flags
        const token = tokenFile === undefined ? undefined : await readGiven(cli.io, tokenFile)
        const url = parseUrl(address)
        const profile = { url, ...(user === undefined ? {} : { user }), ...(token === undefined ? {} : { token }) }
        await cli.changeConfig(({ profiles, current = name, ...config }) => ({
          ...config,
          current,
          profiles: { ...profiles, [free(profiles, name)]: profile },
        }))
        return { name, note: cli.t('ui.cli.profile.saved', { name, url }) }
      },
    }),
    changing({
      ...savedConnection,
      name: 'use',
      help: 'ui.cli.commands.profileUse',
      args: '<name>',
      examples: ['profile use prod'],
      async change(cli, [name]) {
        await cli.changeConfig((config) => ({ ...config, current: known(config.profiles, name, 'profile') }))
        return { name, note: cli.t('ui.cli.profile.used', { name }) }
      },
    }),
    changing({
      ...savedConnection,
      name: 'rename',
      help: 'ui.cli.commands.profileRename',
      args: '<name> <new-name>',
      examples: ['profile rename default prod'],
      async change(cli, [name, next]) {
        await cli.changeConfig((config) => {
          const { [known(config.profiles, name, 'profile')]: profile, ...others } = config.profiles
          return {
            ...config,
            current: config.current === name ? next : config.current,
            profiles: { ...others, [free(others, next)]: profile! },
          }
        })
        return { name: next, note: cli.t('ui.cli.profile.renamed', { name, next }) }
      },
    }),
    changing({
      ...savedConnection,
      name: 'delete',
      help: 'ui.cli.commands.profileDelete',
      args: '<name>',
      examples: ['profile delete prod'],
      async change(cli, [name]) {
        const folder = cli.files().paths.sessions
        await cli.changeConfig(({ current, ...config }) => {
          const { [known(config.profiles, name, 'profile')]: profile, ...profiles } = config.profiles
          const { url, user = '' } = profile!
          if (url !== undefined)
            createSessionFile({ folder, url: parseUrl(url), user, platform: cli.io.platform }).remove()
          return { ...config, ...(current === undefined || current === name ? {} : { current }), profiles }
        })
        return { name, note: cli.t('ui.cli.profile.deleted', { name }) }
      },
    }),
  ],
}

export const aliasGroup: CommandGroup = {
  name: 'alias',
  help: 'ui.cli.commands.alias',
  commands: [
    withResult(['name', 'words'], {
      name: 'ls',
      help: 'ui.cli.commands.aliasLs',
      examples: ['alias ls'],
      async run(cli) {
        const aliases = Object.entries(cli.files().user.aliases).map(([name, words]) => ({ name, words }))
        return aliases.sort((a, b) => a.name.localeCompare(b.name, 'en'))
      },
      print: (cli, list) =>
        printTable(
          cli,
          ['NAME', 'WORDS'],
          list.map(({ name, words }) => [plainText(name), plainText(words)]),
        ),
    }),
    withResult(['name', 'words'], {
      name: 'set',
      help: 'ui.cli.commands.aliasSet',
      args: '<name> <words>',
      argHelp: { name: 'ui.cli.args.alias' },
      examples: ["alias set busy 'server ls --select cpu>90'", "alias set on 'exec name:$1 --'"],
      async run(cli, [name = '', typed = '']) {
        const { tree } = cli.program
        const names = tree.map((command) => command.name)
        const words = typed.trim().replace(/^qd\s+/, '')
        const split = wordsOf(words)
        const refused = (reason: string) => usageError(reason, { name, text: typed, try: 'qd alias set --help' })
        if (!/^[a-z][\w-]{0,31}$/i.test(name)) throw refused('badAlias')
        if (isTaken(name, names)) throw refused('aliasTaken')
        if (split === null) throw refused('aliasQuote')
        if (words.length > longestWords) throw refused('aliasLong')
        if (commandOf(split, { tree, globalFlags }) === null) throw refused('aliasWords')
        await cli.changeConfig((config) => ({ ...config, aliases: { ...config.aliases, [name]: words } }))
        cli.note(cli.t('ui.cli.alias.saved', { name, words: plainText(words) }))
        return { name, words }
      },
    }),
    withResult(['name', 'words'], {
      name: 'delete',
      help: 'ui.cli.commands.aliasDelete',
      args: '<name>',
      argHelp: { name: 'ui.cli.args.alias' },
      values: { kind: 'aliases' },
      examples: ['alias delete busy'],
      async run(cli, [name = '']) {
        if (name.trim() === '') throw usageError('emptyName', { try: 'qd alias ls' })
        let words = ''
        await cli.changeConfig((config) => {
          const { [known(config.aliases, name, 'alias')]: gone = '', ...aliases } = config.aliases
          words = gone
          return { ...config, aliases }
        })
        cli.note(cli.t('ui.cli.alias.deleted', { name: plainText(name) }))
        return { name, words }
      },
    }),
  ],
}

function known(entries: Readonly<Record<string, unknown>>, name: string, group: 'profile' | 'alias'): string {
  if (Object.hasOwn(entries, name)) return name
  throw new AppError('notFound', { name, near: nearest(name, Object.keys(entries)), try: `qd ${group} ls` })
}

function free(profiles: UserConfig['profiles'], name: string): string {
  if (Object.hasOwn(profiles, name)) throw usageError('profileExists', { name })
  if (!/^[\w][\w.-]{0,63}$/.test(name)) throw usageError('badName', { name })
  return name
}
