import { titleOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import { createScreenHost } from '../../../base/io.ts'
import { withShellMade } from '../../../screen/terminal/made-shell.ts'
import { openShell } from '../../../screen/terminal/shell.ts'
import type { Cli } from '../cli.ts'
import { findOne, recordsOf } from '../read.ts'

/** Hands the terminal over to a shell on a server until it ends. Returns the exit status of the shell, 0 where its agent does not say it. Errors: AppError; `usage` without a terminal, naming what works without one. */
export async function runShell(cli: Cli, id: number): Promise<number> {
  const { io, translator, format } = cli
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    throw new AppError('usage', { reason: 'noShellTerminal', try: `qd exec ${id} -- COMMAND` })
  const { client, settings } = await cli.connect()
  const row = await findOne(server, await recordsOf(cli), String(id), 'shell')
  const name = plainText(titleOf(server, row))
  const made = await withShellMade(client, row.id)
  cli.stopAsking()
  const { createOpenSocket } = await import('../../../base/connect/socket.ts')
  const { done } = openShell({
    host: createScreenHost(),
    ports: { ...io, openSocket: createOpenSocket(io.env) },
    client: made,
    baseUrl: settings.url,
    server: { id, name },
    translator,
    format,
  })
  const end = await done
  if (end.kind === 'refused') throw end.error
  if (end.kind === 'left') {
    cli.note(translator.t('ui.tui.shell.left', { name }))
    return 0
  }
  if (end.reason === 'ended') return end.exit ?? 0
  throw new AppError('failed', { text: `${name}: ${translator.t(`ui.terminal.end.${end.reason}`)}` })
}
