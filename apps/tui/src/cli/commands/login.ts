import { createDryRun, saveForm } from '@qd/core/actions'
import { type Client, isFirstPassword, unrevokedSessionNote } from '@qd/core/api'
import { Role, textKey } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { account, beginProvider, providerAddress } from '@qd/core/resources'
import type { Profile } from '../../base/connect/config-file.ts'
import type { Connection, Who } from '../../base/connect/connection.ts'
import { parseUrl, readGiven, resolveSettings, type Settings } from '../../base/connect/settings.ts'
import { type Cli, type FlagValues, textFlag } from './command.ts'
import { dryRunFlag, withResult } from './flags/flags.ts'
import { printDryRun } from './printing/show.ts'
import { recordsOf } from './read.ts'

/** Without a browser: prints the address and takes the code that its page shows (behaviour C-27). Errors: `usage`. */
async function throughProvider(
  cli: Cli,
  { connection, provider, purpose }: { connection: Connection; provider: string; purpose: 'signIn' | 'bind' },
): Promise<Who> {
  const { t } = cli
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
    cli.note(cli.t('ui.providers.bound', { provider }))
    return { username, provider }
  },
})

const defaultProfile = 'default'

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
      cli.note(cli.t(`ui.cli.login.${key}`, { user, url, profile: name }))
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
    const { t } = cli
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
      cli.note(cli.t('ui.cli.login.over', { url }))
      const goesOn = unrevokedSessionNote(left, cli)
      if (goesOn !== null) cli.note(goesOn)
    } else {
      // A token can't be revoked by itself.
      if (profile !== null)
        await cli.changeConfig((config) => {
          const { token, ...others } = config.profiles[profile]!
          return { ...config, profiles: { ...config.profiles, [profile]: others } }
        })
      cli.note(cli.t('ui.cli.login.tokenForgotten'))
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
    const { t } = cli
    const { token: own, paths } = cli.target!
    const about = { user: plainText(username), role, url }
    if (own === null) cli.print(t('ui.cli.login.whoami', about))
    else if (token === null) cli.print(t('ui.cli.login.byToken', { url }))
    else cli.print(t('ui.cli.login.token', { ...about, name: plainText(token) }))
    if (profile !== null) cli.note(cli.err.paint('muted', t('ui.cli.login.profile', { profile, path: paths.config })))
  },
})

/** Nezha dashboards don't tell a token's owner; their answer to a call that no token may make shows whether they know it. */
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

export const passwordCommand = withResult(['username'], {
  name: 'password',
  help: 'ui.cli.commands.password',
  flags: [
    { flags: '--current-file <file>', help: 'ui.cli.flags.currentFile' },
    { flags: '--new-file <file>', help: 'ui.cli.flags.newFile' },
    { flags: '--username <name>', help: 'ui.cli.flags.newUsername' },
    dryRunFlag,
  ],
  examples: ['account password', 'account password --current-file old.txt --new-file new.txt'],
  run: (cli, _args, flags) => changePassword(cli, flags),
})

async function changePassword(cli: Cli, flags: FlagValues) {
  const records = await recordsOf(cli)
  const before = await records.get(account, 0)
  const { password, profile } = await cli.settings()
  const current =
    (await fromFile(cli, flags, 'currentFile')) ?? password ?? (await askSecret(cli, 'ui.cli.password.current'))
  const next = (await fromFile(cli, flags, 'newFile')) ?? (await askTwice(cli))
  const name = textFlag(flags, 'username') ?? String(before.username)
  const input = { ...account.initial, new_username: name, original_password: current, new_password: next }
  const { client, signIn, rename } = await cli.connect()
  const api = flags.dryRun === true ? createDryRun(client) : null
  const order = { api: api ?? client, resource: account, mode: 'edit', base: before, input } as const
  await saveForm({ ...order, supports: () => false }).catch((error: unknown) => {
    throw byFlag(error)
  })
  if (api) {
    printDryRun(cli, { api, notes: [], json: flags.json !== undefined })
    return undefined
  }
  // Our server keeps the session; others end it.
  if ((await client.capabilities()).includes('logout')) rename(name)
  else await signIn(name, next)
  if (profile !== null)
    await cli.changeConfig((config) => ({
      ...config,
      profiles: { ...config.profiles, [profile]: { ...config.profiles[profile], user: name } },
    }))
  cli.note(cli.t('ui.cli.password.done'))
  return { username: name }
}

const flagOf: Readonly<Record<string, string>> = {
  new_username: 'username',
  original_password: 'current_file',
  new_password: 'new_file',
}

function byFlag(error: unknown): unknown {
  if (!(error instanceof AppError) || error.problems.length === 0) return error
  const problems = error.problems.map((problem) => ({ ...problem, field: flagOf[problem.field] ?? problem.field }))
  return new AppError(error.code, error.params, { problems, cause: error })
}

async function fromFile(cli: Cli, flags: FlagValues, name: string): Promise<string | undefined> {
  const path = textFlag(flags, name)
  return path === undefined ? undefined : readGiven(cli.io, path)
}

async function askTwice(cli: Cli): Promise<string> {
  const first = await askSecret(cli, 'ui.cli.password.new')
  if ((await askSecret(cli, 'ui.cli.password.again')) === first) return first
  throw new AppError('invalid', {}, { problems: [{ field: 'new_password', code: 'mismatch' }] })
}

const askSecret = (cli: Cli, key: `ui.cli.password.${'current' | 'new' | 'again'}`) =>
  cli.demandText(cli.t(key), {
    secret: true,
    reason: 'needPassword',
    hint: 'qd account password --current-file FILE --new-file FILE',
  })
