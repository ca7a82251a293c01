import type { ReportLine, Tone } from '@qd/core/define'
import type { MadeCall } from '../../base/connect/connection.ts'
import type { Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createLogScreen } from './output-screen.tsx'

/** Cells of method, status and duration. */
const cells = { method: 6, status: 4, ms: 9 }

function toneOf({ status, ms }: MadeCall): Tone {
  if (ms === null) return 'muted'
  if (status === null || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'plain'
}

/** The calls of this session over one connection, the last ones at the end: when, how long, method, status, path. */
export function createCallsScreen(ui: Ui): Screen {
  const { translator, format, client, name } = ui.workspace
  const { t } = translator
  let from: readonly MadeCall[] | null = null
  let lines: readonly ReportLine[] = []
  const textOf = ({ at, method, path, status, ms }: MadeCall) =>
    [
      format.clock(at),
      method.padEnd(cells.method),
      (status === null ? (ms === null ? '…' : '✗') : String(status)).padEnd(cells.status),
      (ms === null ? '' : `${format.number(ms)} ms`).padStart(cells.ms),
      path,
    ].join(' ')
  return createLogScreen(ui, {
    place: [t('ui.keys.calls'), name],
    lines() {
      const calls = client.connection?.calls() ?? []
      if (calls !== from) {
        from = calls
        lines = calls.map((call) => ({ text: textOf(call), tone: toneOf(call) }))
      }
      return lines
    },
    standing: () => line(` ${t('ui.tui.calls.kept')}`, 'muted'),
  })
}
