import { maskSecrets } from '@qd/core/actions'
import { type AnyRow, type Resource, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { jsonFields, recordJson } from '@qd/core/view'
import { toYaml } from '../../base/output/yaml.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createReportScreen } from './output-screen.tsx'

/** A record as `qd get -o yaml` writes it, with its secrets masked. */
function rawText({ workspace }: Ui, resource: Resource, row: AnyRow): string {
  const secrets = Object.keys(resource.fields).filter((name) => resource.fields[name]!.kind === 'secret' && row[name])
  return toYaml(maskSecrets(recordJson(resource, row, [...jsonFields(resource), ...secrets], workspace.view), resource))
}

/** Shows records as YAML, one document for each; nothing without records. */
export function showRaw(ui: Ui, resource: Resource, rows: readonly AnyRow[]): void {
  if (rows.length === 0) return
  const { say } = ui.workspace.translator
  const [first] = rows
  const name = rows.length === 1 ? plainText(titleOf(resource, first!)) : String(rows.length)
  const text = rows.map((row) => rawText(ui, resource, row)).join('---\n')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => ({ text: line, tone: 'plain' as const }))
  const place = [say(textKey[resource.wire.shape === 'one' ? 'one' : 'many'](resource.name)), name, 'YAML']
  ui.push(createReportScreen(ui, { resource, place, lines }))
}
