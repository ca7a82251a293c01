import { textKey } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { account, beginProvider, providerAddress } from '@qd/core/resources'
import type { Connection, Who } from '../../base/connect/connection.ts'
import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import { dryRunFlag } from './flags/common-flags.ts'
import { pickFields, resultFields, resultFlags } from './flags/output-flags.ts'
import { printDryRun } from './printing/dry-run-output.ts'

const fields = ['username', 'provider'] as const

/**
 * Signs in by a provider without a browser: prints the address and takes the code that its page shows (behaviour C-27).
 * Errors: `usage` if nobody can be asked, and the server's.
 */
export async function throughProvider(
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
