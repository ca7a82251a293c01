import { createDryRun, saveForm } from '@qd/core/actions'
import { AppError } from '@qd/core/errors'
import { account } from '@qd/core/resources'
import { readGiven } from '../../base/connect/settings.ts'
import { type Cli, type FlagValues, textFlag } from './command.ts'
import { dryRunFlag, withResult } from './flags/flags.ts'
import { printDryRun } from './printing/show.ts'
import { recordsOf } from './read.ts'

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
  cli.note(cli.translator.t('ui.cli.password.done'))
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
  cli.demandText(cli.translator.t(key), {
    secret: true,
    reason: 'needPassword',
    hint: 'qd account password --current-file FILE --new-file FILE',
  })
