import { type Action, type AnyRow, fieldKey, fieldValue, type Outcome, titleOf, type View } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { type RunItem, resourceByName, run as runResource } from '@qd/core/resources'
import { createArrival, pickFields, recordJson, type Unrecorded, unrecordedRun } from '@qd/core/view'
import type { Cli } from '../command.ts'
import type { ResultOutput } from '../flags/flags.ts'
import { recordsOf } from '../read.ts'
import { exitCodeOfRun, pollUntil, readUntil, runOpenCode, type WaitLimits } from './wait.ts'

/** Without runs on the server. Exit code 0 only for proved success; otherwise that of an open run (spec D3). */
export async function waitForEvidence(
  cli: Cli,
  awaited: Omit<Unrecorded, 'proved'> & { output: ResultOutput | null; ids: readonly number[]; limits: WaitLimits },
): Promise<number> {
  const { action, rows, ids, limits, output } = awaited
  const view = (await recordsOf(cli)).view()
  const { translator } = cli
  const { field, proves } = action.evidence!
  const resource = resourceByName(action.resource)
  const asked = new Set(ids)
  const before = new Map(rows.filter(({ id }) => asked.has(id)).map((row) => [row.id, row]))
  const nameOf = (row: AnyRow) => plainText(String(row[resource.title] ?? row.id))
  const label = translator.say(fieldKey(resource, field))
  const seen = new Map<number, unknown>()
  const beforeOf = (row: AnyRow) => fieldValue(resource, row, field, view)
  await pollUntil(cli, limits, async (endsAt) => {
    const records = await recordsOf(cli)
    const now = await readUntil(cli, endsAt, () => records.list(resource), [])
    const evidenceOf = (row: AnyRow) => fieldValue(resource, row, field, records.view())
    for (const row of now.filter(({ id }) => before.has(id) && !seen.has(id))) {
      const value = evidenceOf(row)
      if (value === null || value === '' || value === beforeOf(before.get(row.id)!)) continue
      seen.set(row.id, value)
      if (!output)
        cli.print(translator.t('ui.cli.run.changed', { name: nameOf(row), field: label, value: String(value) }))
    }
    return seen.size === before.size
  })
  const unseen = [...before.values()].filter(({ id }) => !seen.has(id))
  const proved = new Map(
    [...seen].map(([id, value]) => [id, `${String(beforeOf(before.get(id)!) ?? '')} -> ${String(value)}`] as const),
  )
  const row = await readUnrecorded(cli, { ...awaited, proved: proves === 'success' ? proved : new Map() })
  if (output) await printRunData(cli, row, output)
  else for (const one of unseen) cli.warn(translator.t('ui.cli.run.unchanged', { name: nameOf(one), field: label }))
  if (proves === 'answer') cli.warn(translator.t('ui.cli.run.noLedger'))
  return exitCodeOfRun(row)
}

export async function readUnrecorded(cli: Cli, from: Unrecorded): Promise<AnyRow> {
  const records = await recordsOf(cli)
  return records.read((view) => unrecordedRun(from, { ...view, now: cli.io.now() }))
}

export async function printRunData(cli: Cli, row: AnyRow, output: ResultOutput): Promise<void> {
  const records = await recordsOf(cli)
  if (output.kind === 'json') cli.json(await records.read((view) => recordJson(runResource, row, output.fields, view)))
  else cli.jsonl((row.items as readonly RunItem[]).map((item) => pickFields(item, output.fields)))
}

/** Writes the text to stdout at once, to be piped to where it is run. Returns 0 if all have come, 7 at the limit. */
export async function waitForArrival(
  cli: Cli,
  awaited: {
    action: Action
    outcome: Extract<Outcome, { kind: 'copy' }>
    rows: readonly AnyRow[]
    count: number
    limits: WaitLimits
    output: ResultOutput | null
  },
): Promise<number> {
  const { action, outcome, rows, count, limits, output } = awaited
  const { translator } = cli
  const resource = resourceByName(action.resource)
  const read = async <T>(look: (view: View) => T): Promise<T> => {
    const records = await recordsOf(cli)
    await records.list(resource)
    return records.read(look)
  }
  // What is here is read before anybody can run the text.
  const arrival = await read((view) => createArrival(action, { resource, rows, view }))
  if (output) cli.json(outcome)
  else cli.print(outcome.text)
  cli.note(translator.t('ui.connect.waiting'))
  const told = new Map<number, string>()
  await pollUntil(cli, limits, async (endsAt) => {
    for (const row of await readUntil(cli, endsAt, () => read(arrival), [])) {
      if (told.has(row.id)) continue
      const name = titleOf(resource, row)
      told.set(row.id, name)
      cli.note(
        `${cli.err.paint('ok', cli.err.mark('success'))} ${translator.t('ui.connect.connected', { names: plainText(name) })}`,
      )
    }
    return told.size >= count
  })
  if (output) cli.json({ kind: 'connected', connected: [...told].map(([id, name]) => ({ id, name })) })
  if (told.size >= count) return 0
  cli.warn(translator.t('ui.cli.act.notArrived', { came: told.size, count }))
  return runOpenCode
}
