import { quoted } from '@qd/core/actions'
import { configuration, type LeftOut, planMigration, readState } from '@qd/core/documents'
import { usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { type Connection, connect } from '../../../base/connect/connection.ts'
import { resolveSettings } from '../../../base/connect/settings.ts'
import { type Cli, type Command, type FlagValues, textFlag } from '../command.ts'
import { applyFlags, carriedOut, faultText, warnUnreadable } from './apply.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  help: 'ui.cli.commands.migrate',
  flags: [
    { flags: '--from <address>', help: 'ui.cli.flags.from', values: { kind: 'profiles' } },
    { flags: '--from-user <name>', help: 'ui.cli.flags.user' },
    { flags: '--from-password-file <file>', help: 'ui.cli.flags.passwordFile' },
    { flags: '--from-token-file <file>', help: 'ui.cli.flags.tokenFile' },
    ...applyFlags,
  ],
  examples: ['migrate --from https://monitor.example.org --from-user admin --dry-run', 'migrate --from old --yes'],
  async run(cli, _args, flags) {
    const from = textFlag(flags, 'from')
    if (from === undefined) throw usageError('missingFlag', { flag: '--from', try: 'qd migrate --help' })
    const other = await connectFrom(cli, from, flags)
    try {
      const { client, settings } = await cli.connect()
      if (other.settings.url === settings.url) throw usageError('sameServer', { url: settings.url })
      const there = await readState(other.client, configuration())
      const here = await readState(client, configuration())
      warnUnreadable(cli, there)
      const { plan, leftOut } = planMigration({ from: there.state, to: here.state })
      for (const one of leftOut) cli.note(lineOf(cli, one))
      const skipped = leftOut.map(({ resource, name, reason, params, problem }) => ({
        ...params,
        resource: resource.name,
        name,
        reason,
        ...(problem?.field ? { field: problem.field } : {}),
      }))
      const again = `qd migrate --from ${quoted(from)}`
      return await carriedOut(cli, plan, { flags, again, more: { left_out: skipped } })
    } finally {
      await other.close()
    }
  },
}

async function connectFrom(cli: Cli, from: string, flags: FlagValues): Promise<Connection> {
  const { io } = cli
  const files = cli.files()
  const { timeout, retries } = cli.flags
  const wanted = {
    [Object.hasOwn(files.user.profiles, from) ? 'profile' : 'url']: from,
    user: textFlag(flags, 'fromUser'),
    passwordFile: textFlag(flags, 'fromPasswordFile'),
    tokenFile: textFlag(flags, 'fromTokenFile'),
    ...{ timeout, retries },
  }
  // Environment and project file are about the target.
  const settings = await resolveSettings({ ...io, stdin: io.stdin, env: {} }, wanted, { ...files, project: null })
  const { t } = cli
  const connection = await connect(io, settings, {
    askCode: async () => (cli.canAsk ? cli.askText(`${t('ui.secondFactor.code')}:`) : null),
  })
  if (connection.signInKind !== null || settings.password !== null || settings.user === null) return connection
  const needed = { secret: true, reason: 'needPassword', hint: '--from-password-file FILE' }
  const password = await cli.demandText(t('ui.cli.login.askPassword'), needed)
  await connection.signIn(settings.user, password)
  return connection
}

function lineOf({ translator }: Cli, { resource, name, reason, params, problem }: LeftOut): string {
  const record = `${resource.name} ${plainText(name)}`
  if (!problem) return `${record}: ${translator.say(`ui.documents.leftOut.${reason}`, params)}`
  const sentence = faultText(translator, problem)
  const text = problem.field === null ? sentence : `${problem.field}: ${sentence}`
  return `${record}: ${translator.t('ui.documents.leftOut.refused', { text })}`
}
