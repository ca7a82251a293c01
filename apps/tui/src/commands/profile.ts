import { AppError } from '@qd/core/errors'
import { nearest } from '@qd/core/targets'
import { changeUserConfig, type UserConfig } from '../connect/config-file.ts'
import { createSessionFile } from '../connect/session-file.ts'
import { parseUrl, readSecret } from '../connect/settings.ts'
import { jsonDocument } from '../output/encode.ts'
import { renderTable } from '../output/table.ts'
import type { Cli } from './cli.ts'
import type { Command, CommandGroup } from './command.ts'

const ls: Command = {
  name: 'ls',
  help: 'ui.cli.commands.profileLs',
  flags: [{ flags: '--json', help: 'ui.cli.flags.jsonResult' }],
  examples: ['profile ls'],
  async run(cli, _args, flags) {
    const { profiles, current } = cli.files().user
    const list = Object.entries(profiles).map(([name, { url = '', user = '', token }]) => ({
      name,
      url,
      user,
      token: token !== undefined,
      current: name === current,
    }))
    if (flags.json) {
      cli.io.stdout.write(jsonDocument(list, cli.io.stdout))
      return undefined
    }
    const columns = ['NAME', 'URL', 'USER', 'CURRENT'].map((head) => ({ head, align: 'left' as const, keep: true }))
    const rows = list.map(({ name, url, user, current: isCurrent }) =>
      [name, url, user, isCurrent ? '*' : ''].map((text) => ({ text, tone: 'plain' as const })),
    )
    for (const line of renderTable({ columns, rows, width: null, header: true, style: cli.out })) cli.print(line)
    return undefined
  },
}

const add: Command = {
  name: 'add',
  help: 'ui.cli.commands.profileAdd',
  args: '<name> <address>',
  examples: ['profile add prod https://status.example.net', 'profile add ci https://status.example.net --token-file -'],
  async run(cli, [name = '', address = '']) {
    const { tokenFile, user } = cli.flags
    const token = tokenFile === undefined ? undefined : await readSecret(cli.io, tokenFile)
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
    return undefined
  },
}

const use: Command = {
  name: 'use',
  help: 'ui.cli.commands.profileUse',
  args: '<name>',
  examples: ['profile use prod'],
  async run(cli, [name = '']) {
    await change(cli, (config) => ({ ...config, current: known(config, name) }))
    return undefined
  },
}

const rename: Command = {
  name: 'rename',
  help: 'ui.cli.commands.profileRename',
  args: '<name> <new-name>',
  examples: ['profile rename default prod'],
  async run(cli, [name = '', next = '']) {
    await change(cli, (config) => {
      const { [known(config, name)]: profile, ...others } = config.profiles
      if (Object.hasOwn(others, next)) throw new AppError('usage', { reason: 'profileExists', name: next })
      return {
        ...config,
        current: config.current === name ? next : config.current,
        profiles: { ...others, [checkName(next)]: profile! },
      }
    })
    return undefined
  },
}

const remove: Command = {
  name: 'delete',
  help: 'ui.cli.commands.profileDelete',
  args: '<name>',
  examples: ['profile delete prod'],
  async run(cli, [name = '']) {
    const { paths } = cli.files()
    await change(cli, (config) => {
      const { [known(config, name)]: profile, ...profiles } = config.profiles
      const { url, user = '' } = profile!
      if (url !== undefined)
        createSessionFile({ folder: paths.sessions, url: parseUrl(url), user, platform: cli.io.platform }).remove()
      const { current, ...rest } = config
      return { ...rest, ...(current === undefined || current === name ? {} : { current }), profiles }
    })
    return undefined
  },
}

/** `qd profile …`: saved connections. */
export const profileGroup: CommandGroup = {
  name: 'profile',
  help: 'ui.cli.commands.profile',
  commands: [ls, add, use, rename, remove],
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
