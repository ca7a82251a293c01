import { Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { changeUserConfig, type Profile } from '../connect/config-file.ts'
import { parseUrl, resolveSettings, type Settings } from '../connect/settings.ts'
import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import { pickFields, resultFields, resultFlags } from './output-flags.ts'

/** Name of the connection that `qd login` saves where none is named. */
const defaultProfile = 'default'

const loginFields = ['user', 'url', 'profile'] as const
const logoutFields = ['url'] as const
const whoamiFields = ['id', 'username', 'role', 'url', 'profile'] as const

/** `qd login`: signs in with a password and saves the connection. */
export const loginCommand: Command = {
  name: 'login',
  help: 'ui.cli.commands.login',
  args: '[address]',
  examples: ['login', 'login https://status.example.net --profile prod', 'login --user admin --password-file -'],
  flags: resultFlags(() => loginFields),
  async run(cli, [address], flags) {
    const fields = resultFields(flags, loginFields)
    const before = await settingsFor(cli)
    const url = address === undefined ? before.url : parseUrl(address)
    const isOther = url !== before.url
    const { profile: wanted, user: named = cli.io.env.QD_USER } = cli.flags
    const name = wanted ?? (isOther ? profileNameFor(cli, url) : (before.profile ?? defaultProfile))
    const user = named ?? (isOther ? null : before.user) ?? (await needText(cli, 'user'))
    const password = before.password ?? (await needText(cli, 'password'))
    const settings: Settings = { ...before, url, user, password: null, token: null, profile: name }
    const connection = await cli.connect(settings)
    await connection.signIn(user, password)
    await changeUserConfig(before.paths.config, cli.io.platform, (config) => ({
      ...config,
      current: wanted === undefined || config.current === undefined ? name : config.current,
      profiles: { ...config.profiles, [name]: signedIn(config.profiles[name], { url, user }) },
    }))
    if (fields) cli.json(pickFields({ user, url, profile: name }, fields))
    cli.note(cli.translator.t('ui.cli.login.done', { user, url, profile: name }))
    return undefined
  },
}

/** `qd logout`: ends the session on the server and forgets it here. The saved connection stays. */
export const logoutCommand: Command = {
  name: 'logout',
  help: 'ui.cli.commands.logout',
  flags: resultFlags(() => logoutFields),
  examples: ['logout', 'logout --profile prod'],
  async run(cli, _args, flags) {
    const fields = resultFields(flags, logoutFields)
    const settings = await cli.settings()
    const connection = await cli.connect({ ...settings, password: null })
    await connection.signOut()
    if (fields) cli.json(pickFields({ url: settings.url }, fields))
    cli.note(cli.translator.t('ui.cli.login.over', { url: settings.url }))
    return undefined
  },
}

/** `qd whoami`: who is signed in, and where. Errors: `unauthorized`. */
export const whoamiCommand: Command = {
  name: 'whoami',
  help: 'ui.cli.commands.whoami',
  flags: resultFlags(() => whoamiFields),
  examples: ['whoami', 'whoami --json', 'whoami --jq .role'],
  async run(cli, _args, flags) {
    const fields = resultFields(flags, whoamiFields)
    const { settings, viewer } = await cli.connect()
    const { id, username, role } = await viewer()
    const roleName = role === Role.admin ? 'admin' : 'user'
    if (fields) {
      const { url, profile } = settings
      cli.json(pickFields({ id, username, role: roleName, url, profile }, fields))
      return undefined
    }
    const known = settings.token === null
    cli.print(
      known
        ? cli.translator.t('ui.cli.login.whoami', { user: plainText(username), role: roleName, url: settings.url })
        : cli.translator.t('ui.cli.login.byToken', { url: settings.url }),
    )
    if (settings.profile !== null)
      cli.note(
        cli.err.paint(
          'muted',
          cli.translator.t('ui.cli.login.profile', { profile: settings.profile, path: settings.paths.config }),
        ),
      )
    return undefined
  },
}

/** A saved connection from now on: by its session, no longer by a token. */
function signedIn({ token, ...others }: Profile = {}, by: { url: string; user: string }): Profile {
  return { ...others, ...by }
}

/** The settings of this run; `--profile` may name a connection that signing in is to save. */
function settingsFor(cli: Cli): Promise<Settings> {
  const { profile, ...others } = cli.flags
  const isNew = profile !== undefined && !Object.hasOwn(cli.files().user.profiles, profile)
  return isNew ? resolveSettings(cli.io, others, cli.files()) : cli.settings()
}

async function needText(cli: Cli, what: 'user' | 'password'): Promise<string> {
  if (!cli.canAsk)
    throw new AppError('usage', {
      reason: what === 'user' ? 'needUser' : 'needPassword',
      try: `qd login --user NAME --password-file FILE`,
    })
  const answer = await cli.askText(
    cli.translator.t(what === 'user' ? 'ui.cli.login.askUser' : 'ui.cli.login.askPassword'),
    { secret: what === 'password' },
  )
  if (answer === null || answer === '') throw new AppError('cancelled')
  return answer
}

/** A name for a new address: the saved connection with that address, else its host. */
function profileNameFor(cli: Cli, url: string): string {
  const { profiles, current } = cli.files().user
  const saved = Object.keys(profiles).find(
    (name) => profiles[name]!.url !== undefined && parseUrl(profiles[name]!.url) === url,
  )
  return saved ?? (current === undefined ? defaultProfile : new URL(url).host.replace(/[^\w.-]/g, '-'))
}
