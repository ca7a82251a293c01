import { type Action, type AnyRow, fieldKey, fieldValue } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import type { Cli } from '../cli.ts'
import { recordsOf } from '../read.ts'
import { readPatiently, runOpenCode, type WaitLimits } from './wait.ts'

/** What was sent to which records, as they were before, and how long somebody waits. */
interface Awaited {
  rows: readonly AnyRow[]
  /** Programs read it; null: a person does. */
  output: object | null
  action: Action
  ids: readonly number[]
  limits: WaitLimits
}

/**
 * Looks on until every record shows that something came of what was sent, on a server that keeps no ledger. Returns the exit code: 0 only
 * where the change proves a success; where nobody can know, that of a run that is still open (spec D3).
 */
export async function waitForEvidence(cli: Cli, { action, rows, ids, limits, output }: Awaited): Promise<number> {
  const { io, translator } = cli
  const { field, proves } = action.evidence!
  const resource = resourceByName(action.resource)!
  const asked = new Set(ids)
  const before = new Map(rows.filter(({ id }) => asked.has(id)).map((row) => [row.id, row]))
  const endsAt = io.now() + limits.timeoutMs
  const nameOf = (row: AnyRow) => plainText(String(row[resource.title] ?? row.id))
  const label = translator.say(fieldKey(resource, field))
  const seen = new Map<number, unknown>()
  for (;;) {
    const records = await recordsOf(cli)
    const now = await readPatiently(cli, endsAt, () => records.list(resource))
    const evidenceOf = (row: AnyRow) => fieldValue(resource, row, field, records.view())
    for (const row of now.filter(({ id }) => before.has(id) && !seen.has(id))) {
      const value = evidenceOf(row)
      if (value === null || value === '' || value === evidenceOf(before.get(row.id)!)) continue
      seen.set(row.id, value)
      if (!output)
        cli.print(translator.t('ui.cli.run.changed', { name: nameOf(row), field: label, value: String(value) }))
    }
    const leftMs = endsAt - io.now()
    if (seen.size === before.size || leftMs <= 0) break
    await new Promise<void>((resolve) => io.setTimer(resolve, Math.min(limits.pollMs, leftMs)))
  }
  const unseen = [...before.values()].filter(({ id }) => !seen.has(id))
  if (output) cli.json({ field, seen: Object.fromEntries(seen), unseen: unseen.map(({ id }) => id), proves })
  else for (const row of unseen) cli.warn(translator.t('ui.cli.run.unchanged', { name: nameOf(row), field: label }))
  if (proves === 'answer') cli.warn(translator.t('ui.cli.run.noLedger'))
  return unseen.length === 0 && proves === 'success' ? 0 : runOpenCode
}
