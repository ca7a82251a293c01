import { maskSecrets } from '@qd/core/actions'
import { type AnyRow, fieldOf, type Resource, type Tone, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { run } from '@qd/core/resources'
import { jsonFields, recordJson } from '@qd/core/view'
import type { MadeCall } from '../../base/connect/connection.ts'
import { wordRole } from '../../screen/fields/marks.ts'
import { createKept } from '../../screen/state/kept.ts'
import type { Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createReportScreen, createTextScreen } from './output-screen.tsx'

const cells = { method: 6, status: 4, ms: 9 }

function toneOf({ status, ms }: MadeCall): Tone {
  if (ms === null) return 'muted'
  if (status === null || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'plain'
}

/** API calls of this session, newest last: time, duration, method, status, path. */
export function createCallsScreen(ui: Ui): Screen {
  const { format, client, name, t } = ui.workspace
  let calls: readonly MadeCall[] = []
  const lines = createKept<readonly string[]>()
  const textOf = ({ at, method, path, status, ms }: MadeCall) =>
    [
      format.clock(at),
      method.padEnd(cells.method),
      (status === null ? (ms === null ? '…' : '✗') : String(status)).padEnd(cells.status),
      (ms === null ? '' : `${format.number(ms)} ms`).padStart(cells.ms),
      plainText(path),
    ].join(' ')
  return createTextScreen(ui, {
    place: [t('ui.keys.calls'), name],
    resource: run,
    lines() {
      calls = client.connection?.calls() ?? calls
      return lines([calls], () => calls.map(textOf))
    },
    roleOf: (index) => (calls[index] ? wordRole[toneOf(calls[index])] : 'plain'),
    live: {
      isOpen: () => true,
      statusLine: () => line(` ${t('ui.tui.calls.kept')}`, 'muted'),
      enter: () => () => undefined,
    },
  })
}

/** As `qd get --json`, secrets masked. */
function maskedJson({ workspace }: Ui, resource: Resource, row: AnyRow): unknown {
  const secrets = Object.keys(resource.fields).filter((name) => fieldOf(resource, name).kind === 'secret' && row[name])
  return maskSecrets(recordJson(resource, row, [...jsonFields(resource), ...secrets], workspace.view), resource)
}

export async function showRaw(ui: Ui, resource: Resource, rows: readonly AnyRow[]): Promise<void> {
  if (rows.length === 0) return
  const [first] = rows
  const name = rows.length === 1 ? plainText(titleOf(resource, first!)) : String(rows.length)
  const values = rows.map((row) => maskedJson(ui, resource, row))
  const { toYaml } = await ui.io.libraries.yaml()
  const text = values.map(toYaml).join('---\n')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => ({ text: line, tone: 'plain' as const }))
  const place = [ui.workspace.say(textKey[resource.wire.shape === 'one' ? 'one' : 'many'](resource.name)), name, 'YAML']
  ui.push(createReportScreen(ui, { resource, place, lines }))
}
