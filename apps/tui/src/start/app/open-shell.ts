import { observe } from '@legendapp/state'
import type { Client } from '@qd/core/api'
import { titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import { createOpenSocket } from '../../base/connect/socket.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { withShellMade } from '../../screen/terminal/made-shell.ts'
import { openShell, type ShellEnd } from '../../screen/terminal/shell.ts'

/** Hands the whole terminal to a shell on a server and draws again after it (behaviour T-27). */
export async function showShell(ui: Ui, id: number): Promise<void> {
  const { workspace, io } = ui
  const { client, session, translator, format, settings } = workspace
  const row = workspace.records.peek('server', id)
  const name = row ? plainText(titleOf(server, row)) : `#${id}`
  try {
    const borrow = (made: Client) =>
      ui.terminal.lend(({ typed, whenTakenBack }) => {
        const shell = openShell({
          host: ui.terminal,
          typed,
          ports: { ...io, openSocket: createOpenSocket(io.env) },
          client: made,
          baseUrl: settings.url,
          server: { id, name },
          translator,
          format,
        })
        whenTakenBack(shell.leave)
        // There is no screen for the question now: the shell is over, and the next one asks.
        const stop = observe(() => {
          if (session.state$.needsProof.get()) session.declineProof()
        })
        return shell.done.finally(stop)
      })
    const end = await ui.bring(withShellMade(client, id), borrow)
    if (end) tell(ui, name, end)
  } catch (thrown) {
    ui.fail(toAppError(thrown))
  }
}

function tell(ui: Ui, name: string, end: ShellEnd): void {
  const { t } = ui.workspace.translator
  if (end.kind === 'refused') ui.fail(end.error)
  else if (end.kind === 'left') ui.say(t('ui.tui.shell.left', { name }))
  else ui.say(`${name}: ${t(`ui.terminal.end.${end.reason}`)}`, end.reason === 'ended' ? 'plain' : 'warn')
}
