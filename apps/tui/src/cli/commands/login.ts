import { type Client, isFirstPassword, unrevokedSessionNote } from '@qd/core/api'
import { Role, textKey } from '@qd/core/define'
import { AppError, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { account, beginProvider, providerAddress } from '@qd/core/resources'
import { changeUserConfig, type Profile } from '../../base/connect/config-file.ts'
import type { Connection, Who } from '../../base/connect/connection.ts'
import { parseUrl, resolveSettings, type Settings } from '../../base/connect/settings.ts'
import type { Cli } from './cli.ts'
import { type Command, textFlag } from './command.ts'
import { dryRunFlag } from './flags/common-flags.ts'
import { pickFields, resultFields, resultFlags } from './flags/output-flags.ts'
import { printDryRun } from './printing/dry-run-output.ts'

const fields = ['username', 'provider'] as const

/**
 * Signs in by a provider without a browser: prints the address and takes the code that its page shows (behaviour C-27).
 * Errors: `usage` if nobody can be asked, and the server's.
 */
async function throughProvider(
  cli: Cli,
  { connection, provider, purpose }: { connection: Connection; provider: string; purpose: 'signIn' | 'bind' },
): Promise<Who> {
  const { t } = cli.translator
  if (!cli.canAsk) throw new AppError('usage', { reason: 'cannotAsk' })
  const address = providerAddress(await connection.client.send(beginProvider(provider, purpose)))
  cli.note(t('ui.cli.login.open'))
  cli.print(address)
  const paste = await cli.askText(t('ui.cli.login.paste'))
  if (paste === null || paste.trim() === '') throw new AppError('cancelled')
  return connection.claim(paste.trim())
}

export const bindCommand: Command = {
  name: 'bind',
  help: textKey.action(account.name, 'bind'),
  args: '<provider>',
  flags: [dryRunFlag, ...resultFlags(() => fields)],
  examples: ['account bind GitHub'],
  async run(cli, [given], flags) {
    const wanted = resultFields(flags, fields)
    const provider = String(given)
    if (flags.dryRun === true) {
      const calls = [
        beginProvider(provider, 'bind'),
        { method: 'POST', path: 'oauth2/claim', body: { paste: '…' } } as const,
      ]
      printDryRun(cli, { api: { calls }, notes: [], json: wanted !== null })
      return undefined
    }
    const { username } = await throughProvider(cli, { connection: await cli.connect(), provider, purpose: 'bind' })
    if (wanted) cli.json(pickFields({ username, provider }, wanted))
    cli.note(cli.translator.t('ui.providers.bound', { provider }))
  },
}

const defaultProfile = 'default'

const loginFields = ['user', 'url', 'profile'] as const
const logoutFields = ['url'] as const
const whoamiFields = ['id', 'username', 'role', 'url', 'profile', 'token'] as const

/** `qd login`: saves the connection (behaviour C-27). */
export const loginCommand: Command = {
  name: 'login',
  help: 'ui.cli.commands.login',
  args: '[address]',
  examples: [
    'login',
    'login https://status.example.net --profile prod',
    'login --user admin --password-file - --code 123456',
    'login --provider GitHub',
    'login https://status.example.net --token-file ci.token',
  ],
  flags: [
    { flags: '--provider <name>', help: 'ui.cli.flags.provider' },
    { flags: '--code <code>', help: 'ui.cli.flags.code' },
    ...resultFlags(() => loginFields),
  ],
  async run(cli, [address], flags) {
    const fields = resultFields(flags, loginFields)
    const before = await settingsFor(cli)
    const url = address === undefined ? before.url : parseUrl(address)
    const isOther = url !== before.url
    const { profile: wanted, user: named = cli.io.env.QD_USER } = cli.flags
    const name = wanted ?? (isOther ? profileNameFor(cli, url) : (before.profile ?? defaultProfile))
    const keep = async (user: string, profile: Profile, key: 'done' | 'tokenDone' = 'done') => {
      await changeUserConfig(before.paths.config, cli.io.platform, (config) => ({
        ...config,
        current: wanted === undefined || config.current === undefined ? name : config.current,
        profiles: { ...config.profiles, [name]: { ...preferencesOf(config.profiles[name]), url, ...profile } },
      }))
      if (fields) cli.json(pickFields({ user, url, profile: name }, fields))
      cli.note(cli.translator.t(`ui.cli.login.${key}`, { user, url, profile: name }))
    }
    if (cli.flags.tokenFile !== undefined) {
      const { viewer, client } = await cli.connect({ ...before, url, profile: name })
      const { username: user } = await viewer()
      if (user === '') await demandTaken(client, url)
      return keep(user, { token: before.token! }, 'tokenDone')
    }
    const provider = textFlag(flags, 'provider')
    if (provider !== undefined) {
      const nobody = { ...before, url, user: null, password: null, token: null, profile: name }
      const { username: user } = await throughProvider(cli, {
        connection: await cli.connect(nobody),
        provider,
        purpose: 'signIn',
      })
      return keep(user, { user })
    }
    const user = named ?? (isOther ? null : before.user) ?? (await needText(cli, 'user'))
    const password = before.password ?? (await needText(cli, 'password'))
    const settings: Settings = { ...before, url, user, password: null, token: null, profile: name }
    const connection = await cli.connect(settings)
    await connection.signIn(user, password, textFlag(flags, 'code'))
    await keep(user, { user })
    if ((await connection.client.capabilities()).includes('demo')) cli.note(cli.translator.t('ui.demo.text'))
    if (isFirstPassword(user, password)) cli.note(cli.translator.t('ui.login.firstPassword'))
  },
}

export const logoutCommand: Command = {
  name: 'logout',
  help: 'ui.cli.commands.logout',
  flags: resultFlags(() => logoutFields),
  examples: ['logout', 'logout --profile prod'],
  async run(cli, _args, flags) {
    const fields = resultFields(flags, logoutFields)
    const settings = await cli.settings()
    if (settings.token !== null) {
      await forgetToken(cli, settings)
      if (fields) cli.json(pickFields({ url: settings.url }, fields))
      return undefined
    }
    const connection = await cli.connect({ ...settings, password: null })
    const left = await connection.signOut()
    if (fields) cli.json(pickFields({ url: settings.url }, fields))
    cli.note(cli.translator.t('ui.cli.login.over', { url: settings.url }))
    const goesOn = unrevokedSessionNote(left, cli)
    if (goesOn !== null) cli.note(goesOn)
  },
}

/** A token can't be revoked by itself; removes it from the saved connection. */
async function forgetToken(cli: Cli, { profile, paths }: Settings): Promise<void> {
  if (profile !== null)
    await changeUserConfig(paths.config, cli.io.platform, (config) => {
      const { token, ...others } = config.profiles[profile]!
      return { ...config, profiles: { ...config.profiles, [profile]: others } }
    })
  cli.note(cli.translator.t('ui.cli.login.tokenForgotten'))
}

export const whoamiCommand: Command = {
  name: 'whoami',
  help: 'ui.cli.commands.whoami',
  flags: resultFlags(() => whoamiFields),
  examples: ['whoami', 'whoami --json', 'whoami --jq .role'],
  async run(cli, _args, flags) {
    const fields = resultFields(flags, whoamiFields)
    const { settings, viewer } = await cli.connect()
    const { id, username, role, token = null } = await viewer()
    const roleName = role === Role.admin ? 'admin' : 'user'
    if (fields) {
      const { url, profile } = settings
      cli.json(pickFields({ id, username, role: roleName, url, profile, token }, fields))
      return undefined
    }
    const { t } = cli.translator
    const about = { user: plainText(username), role: roleName, url: settings.url }
    if (settings.token === null) cli.print(t('ui.cli.login.whoami', about))
    else if (token === null) cli.print(t('ui.cli.login.byToken', { url: settings.url }))
    else cli.print(t('ui.cli.login.token', { ...about, name: plainText(token) }))
    if (settings.profile !== null)
      cli.note(
        cli.err.paint(
          'muted',
          cli.translator.t('ui.cli.login.profile', { profile: settings.profile, path: settings.paths.config }),
        ),
      )
  },
}

/**
 * Nezha dashboards don't tell a token's owner. Their answer to a call no token may make shows whether they know it.
 * Errors: `badToken`; `unsupported` for a version without tokens.
 */
async function demandTaken(client: Client, url: string): Promise<void> {
  const error = await client.send({ method: 'GET', path: 'profile' }).then(() => null, toAppError)
  if (error === null || error.code === 'tokenForbidden') return
  const hasTokens = error.code !== 'unauthorized' || (await client.capabilities()).includes('api-tokens')
  if (hasTokens) throw error
  throw new AppError('unsupported', { says: 'ui.cli.login.noTokens', try: `qd login ${url} --user NAME` })
}

function preferencesOf({ token, user, ...others }: Profile = {}): Profile {
  return others
}

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

function profileNameFor(cli: Cli, url: string): string {
  const { profiles, current } = cli.files().user
  const saved = Object.keys(profiles).find(
    (name) => profiles[name]!.url !== undefined && parseUrl(profiles[name]!.url) === url,
  )
  return saved ?? (current === undefined ? defaultProfile : new URL(url).host.replace(/[^\w.-]/g, '-'))
}
