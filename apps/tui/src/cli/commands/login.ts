import { type Client, isFirstPassword, unrevokedSessionNote } from '@qd/core/api'
import { Role, textKey } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { account, beginProvider, providerAddress } from '@qd/core/resources'
import type { Profile } from '../../base/connect/config-file.ts'
import type { Connection, Who } from '../../base/connect/connection.ts'
import { parseUrl, resolveSettings, type Settings } from '../../base/connect/settings.ts'
import { type Cli, textFlag } from './command.ts'
import { dryRunFlag, withResult } from './flags/flags.ts'
import { printDryRun } from './printing/show.ts'

/**
 * Signs in by a provider without a browser: prints the address and takes the code that its page shows (behaviour C-27).
 * Errors: `usage` if nobody can be asked, and the server's.
 */
async function throughProvider(
  cli: Cli,
  { connection, provider, purpose }: { connection: Connection; provider: string; purpose: 'signIn' | 'bind' },
): Promise<Who> {
  const { t } = cli.translator
  if (!cli.canAsk) throw usageError('cannotAsk')
  const address = providerAddress(await connection.client.send(beginProvider(provider, purpose)))
  cli.note(t('ui.cli.login.open'))
  cli.print(address)
  const paste = await cli.demandText(t('ui.cli.login.paste'))
  return connection.claim(paste.trim())
}

export const bindCommand = withResult(['username', 'provider'], {
  name: 'bind',
  help: textKey.action(account.name, 'bind'),
  args: '<provider>',
  flags: [dryRunFlag],
  examples: ['account bind GitHub'],
  async run(cli, [given], flags) {
    const provider = String(given)
    if (flags.dryRun === true) {
      const calls = [
        beginProvider(provider, 'bind'),
        { method: 'POST', path: 'oauth2/claim', body: { paste: '…' } } as const,
      ]
      printDryRun(cli, { api: { calls }, notes: [], json: flags.json !== undefined })
      return undefined
    }
    const { username } = await throughProvider(cli, { connection: await cli.connect(), provider, purpose: 'bind' })
    cli.note(cli.translator.t('ui.providers.bound', { provider }))
    return { username, provider }
  },
})

const defaultProfile = 'default'

/** `qd login`: saves the connection (behaviour C-27). */
export const loginCommand = withResult(['user', 'url', 'profile'], {
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
  ],
  async run(cli, [address], flags) {
    const before = await settingsFor(cli)
    const url = address === undefined ? before.url : parseUrl(address)
    const isOther = url !== before.url
    const { profile: wanted, user: named = cli.io.env.QD_USER } = cli.flags
    const name = wanted ?? (isOther ? profileNameFor(cli, url) : (before.profile ?? defaultProfile))
    const keep = async (user: string, profile: Profile, key: 'done' | 'tokenDone' = 'done') => {
      await cli.changeConfig((config) => ({
        ...config,
        current: wanted === undefined || config.current === undefined ? name : config.current,
        profiles: { ...config.profiles, [name]: { ...preferencesOf(config.profiles[name]), url, ...profile } },
      }))
      cli.note(cli.translator.t(`ui.cli.login.${key}`, { user, url, profile: name }))
      return { user, url, profile: name }
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
    const { t } = cli.translator
    const hint = 'qd login --user NAME --password-file FILE'
    const user =
      named ??
      (isOther ? null : before.user) ??
      (await cli.demandText(t('ui.cli.login.askUser'), { reason: 'needUser', hint }))
    const secret = { secret: true, reason: 'needPassword', hint }
    const password = before.password ?? (await cli.demandText(t('ui.cli.login.askPassword'), secret))
    const settings: Settings = { ...before, url, user, password: null, token: null, profile: name }
    const connection = await cli.connect(settings)
    await connection.signIn(user, password, textFlag(flags, 'code'))
    const kept = await keep(user, { user })
    if ((await connection.client.capabilities()).includes('demo')) cli.note(t('ui.demo.text'))
    if (isFirstPassword(user, password)) cli.note(t('ui.login.firstPassword'))
    return kept
  },
})

export const logoutCommand = withResult(['url'], {
  name: 'logout',
  help: 'ui.cli.commands.logout',
  examples: ['logout', 'logout --profile prod'],
  async run(cli) {
    const settings = await cli.settings()
    const { url, profile } = settings
    if (settings.token === null) {
      const connection = await cli.connect({ ...settings, password: null })
      const left = await connection.signOut()
      cli.note(cli.translator.t('ui.cli.login.over', { url }))
      const goesOn = unrevokedSessionNote(left, cli)
      if (goesOn !== null) cli.note(goesOn)
    } else {
      // A token can't be revoked by itself.
      if (profile !== null)
        await cli.changeConfig((config) => {
          const { token, ...others } = config.profiles[profile]!
          return { ...config, profiles: { ...config.profiles, [profile]: others } }
        })
      cli.note(cli.translator.t('ui.cli.login.tokenForgotten'))
    }
    return { url }
  },
})

export const whoamiCommand = withResult(['id', 'username', 'role', 'url', 'profile', 'token'], {
  name: 'whoami',
  help: 'ui.cli.commands.whoami',
  examples: ['whoami', 'whoami --json', 'whoami --jq .role'],
  async run(cli) {
    const { settings, viewer } = await cli.connect()
    const { id, username, role, token = null } = await viewer()
    const { url, profile } = settings
    return { id, username, role: role === Role.admin ? 'admin' : 'user', url, profile, token }
  },
  print(cli, { username, role, url, profile, token }) {
    const { t } = cli.translator
    const { token: own, paths } = cli.target!
    const about = { user: plainText(username), role, url }
    if (own === null) cli.print(t('ui.cli.login.whoami', about))
    else if (token === null) cli.print(t('ui.cli.login.byToken', { url }))
    else cli.print(t('ui.cli.login.token', { ...about, name: plainText(token) }))
    if (profile !== null) cli.note(cli.err.paint('muted', t('ui.cli.login.profile', { profile, path: paths.config })))
  },
})

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

function profileNameFor(cli: Cli, url: string): string {
  const { profiles, current } = cli.files().user
  const saved = Object.keys(profiles).find(
    (name) => profiles[name]!.url !== undefined && parseUrl(profiles[name]!.url) === url,
  )
  return saved ?? (current === undefined ? defaultProfile : new URL(url).host.replace(/[^\w.-]/g, '-'))
}
