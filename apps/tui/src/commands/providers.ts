import { textKey } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { account, providerAddress } from '@qd/core/resources'
import type { Connection, Who } from '../connect/connection.ts'
import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import { pickFields, resultFields, resultFlags } from './flags/output-flags.ts'

const fields = ['username', 'provider'] as const

/**
 * The way to a sign-in provider and back for a program without a browser: prints the address, and takes back the code that the page
 * shows at the end (behaviour C-27). Errors: `usage` where nobody can be asked, and those of the server.
 */
export async function throughProvider(
  cli: Cli,
  { connection, provider, type }: { connection: Connection; provider: string; type: 1 | 2 },
): Promise<Who> {
  const { t } = cli.translator
  if (!cli.canAsk) throw new AppError('usage', { reason: 'cannotAsk' })
  const path = `oauth2/${encodeURIComponent(provider)}`
  const address = providerAddress(await connection.client.send({ method: 'GET', path, query: { type, paste: 1 } }))
  cli.note(t('ui.cli.login.open'))
  cli.print(address)
  const paste = await cli.askText(t('ui.cli.login.paste'))
  if (paste === null || paste.trim() === '') throw new AppError('cancelled')
  return connection.claim(paste.trim())
}

/** `qd account bind PROVIDER`: a further way in, bound in the browser of whoever runs it. */
export const bindCommand: Command = {
  name: 'bind',
  help: textKey.action(account.name, 'bind'),
  args: '<provider>',
  flags: resultFlags(() => fields),
  examples: ['account bind GitHub'],
  async run(cli, [given], flags) {
    const wanted = resultFields(flags, fields)
    const provider = String(given)
    const { username } = await throughProvider(cli, { connection: await cli.connect(), provider, type: 2 })
    if (wanted) cli.json(pickFields({ username, provider }, wanted))
    cli.note(cli.translator.t('ui.providers.bound', { provider }))
    return undefined
  },
}
