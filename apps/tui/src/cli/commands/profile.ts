import { AppError } from '@qd/core/errors'
import { nearest } from '@qd/core/targets'
import { changeUserConfig, readUserConfig, type UserConfig } from '../../base/connect/config-file.ts'
import { createSessionFile } from '../../base/connect/session-file.ts'
import { parseUrl, readGiven } from '../../base/connect/settings.ts'
import { plainTable } from '../../base/output/table.ts'
import type { Cli } from './cli.ts'
import type { Command, CommandGroup } from './command.ts'
import { pickFields, resultFields, resultFlags } from './flags/output-flags.ts'

const listFields = ['name', 'url', 'user', 'token', 'current'] as const
const changedFields = ['name', 'current'] as const

const ls: Command = {
  name: 'ls',
  help: 'ui.cli.commands.profileLs',
  flags: resultFlags(() => listFields),
  examples: ['profile ls'],
  async run(cli, _args, flags) {
    const fields = resultFields(flags, listFields)
    const { profiles, current } = cli.files().user
    const list = Object.entries(profiles).map(([name, { url = '', user = '', token }]) => ({
      name,
      url,
      user,
      token: token !== undefined,
      current: name === current,
    }))
    if (fields) return cli.json(list.map((profile) => pickFields(profile, fields)))
    const rows = list.map(({ name, url, user, current: isCurrent }) => [name, url, user, isCurrent ? '*' : ''])
    for (const line of plainTable(['NAME', 'URL', 'USER', 'CURRENT'], rows, cli.out)) cli.print(line)
  },
}

const add: Command = {
  name: 'add',
  help: 'ui.cli.commands.profileAdd',
  args: '<name> <address>',
  argHelp: { name: 'ui.cli.args.connection' },
  examples: ['profile add prod https://status.example.net', 'profile add ci https://status.example.net --token-file -'],
  flags: resultFlags(() => changedFields),
  async run(cli, [name = '', address = ''], flags) {
    const fields = resultFields(flags, changedFields)
    const { tokenFile, user } = cli.flags
    const token = tokenFile === undefined ? undefined : await readGiven(cli.io, tokenFile)
    const url = parseUrl(address)
    await change(cli, (config) => {
      if (Object.hasOwn(config.profiles, name)) throw new AppError('usage', { reason: 'profileExists', name })
      const profile = { url, ...(user === undefined ? {} : { user }), ...(token === undefined ? {} : { token }) }
      return {
        ...config,
        current: config.current ?? name,
        profiles: { ...config.profiles, [checkName(name)]: profile },
      }
    })
    cli.note(cli.translator.t('ui.cli.profile.saved', { name, url }))
    return tell(cli, name, fields)
  },
}

const use: Command = {
  name: 'use',
  help: 'ui.cli.commands.profileUse',
  args: '<name>',
  argHelp: { name: 'ui.cli.args.connection' },
  values: { kind: 'profiles' },
  examples: ['profile use prod'],
  flags: resultFlags(() => changedFields),
  async run(cli, [name = ''], flags) {
    const fields = resultFields(flags, changedFields)
    await change(cli, (config) => ({ ...config, current: known(config, name) }))
    cli.note(cli.translator.t('ui.cli.profile.used', { name }))
    return tell(cli, name, fields)
  },
}

const rename: Command = {
  name: 'rename',
  help: 'ui.cli.commands.profileRename',
  args: '<name> <new-name>',
  argHelp: { name: 'ui.cli.args.connection' },
  values: { kind: 'profiles' },
  examples: ['profile rename default prod'],
  flags: resultFlags(() => changedFields),
  async run(cli, [name = '', next = ''], flags) {
    const fields = resultFields(flags, changedFields)
    await change(cli, (config) => {
      const { [known(config, name)]: profile, ...others } = config.profiles
      if (Object.hasOwn(others, next)) throw new AppError('usage', { reason: 'profileExists', name: next })
      return {
        ...config,
        current: config.current === name ? next : config.current,
        profiles: { ...others, [checkName(next)]: profile! },
      }
    })
    cli.note(cli.translator.t('ui.cli.profile.renamed', { name, next }))
    return tell(cli, next, fields)
  },
}

const remove: Command = {
  name: 'delete',
  help: 'ui.cli.commands.profileDelete',
  args: '<name>',
  argHelp: { name: 'ui.cli.args.connection' },
  values: { kind: 'profiles' },
  examples: ['profile delete prod'],
  flags: resultFlags(() => changedFields),
  async run(cli, [name = ''], flags) {
    const fields = resultFields(flags, changedFields)
    const { paths } = cli.files()
    await change(cli, (config) => {
      const { [known(config, name)]: profile, ...profiles } = config.profiles
      const { url, user = '' } = profile!
      if (url !== undefined)
        createSessionFile({ folder: paths.sessions, url: parseUrl(url), user, platform: cli.io.platform }).remove()
      const { current, ...rest } = config
      return { ...rest, ...(current === undefined || current === name ? {} : { current }), profiles }
    })
    cli.note(cli.translator.t('ui.cli.profile.deleted', { name }))
    return tell(cli, name, fields)
  },
}

export const profileGroup: CommandGroup = {
  name: 'profile',
  help: 'ui.cli.commands.profile',
  commands: [ls, add, use, rename, remove],
}

function tell(cli: Cli, name: string, fields: readonly (typeof changedFields)[number][] | null): undefined {
  if (!fields) return undefined
  const { current = null } = readUserConfig(cli.files().paths.config, cli.io.platform)
  cli.json(pickFields({ name, current }, fields))
}

function change(cli: Cli, make: (config: UserConfig) => UserConfig): Promise<void> {
  return changeUserConfig(cli.files().paths.config, cli.io.platform, make)
}

function known({ profiles }: UserConfig, name: string): string {
  if (Object.hasOwn(profiles, name)) return name
  throw new AppError('notFound', { name, near: nearest(name, Object.keys(profiles)), try: 'qd profile ls' })
}

function checkName(name: string): string {
  if (/^[\w][\w.-]{0,63}$/.test(name)) return name
  throw new AppError('usage', { reason: 'badName', name })
}
