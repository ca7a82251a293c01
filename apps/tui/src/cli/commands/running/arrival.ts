import { type Action, type AnyRow, type Outcome, titleOf, type View } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { createArrival } from '@qd/core/view'
import type { Cli } from '../command.ts'
import type { ResultOutput } from '../flags/flags.ts'
import { recordsOf } from '../read.ts'
import { readUntil, runOpenCode, type WaitLimits } from './wait.ts'

/** A text that brings records once it is run elsewhere, and how long to wait for them. `count`: how many it brings. */
export interface Awaited {
  action: Action
  outcome: Extract<Outcome, { kind: 'copy' }>
  rows: readonly AnyRow[]
  count: number
  limits: WaitLimits
  output: ResultOutput | null
}

/**
 * Writes the text to stdout at once, then waits for the records that it brings, telling each on stderr, so that stdout can be piped to
 * where the text is run. Returns the exit code: 0 if all have come, 7 at the limit.
 */
export async function waitForArrival(cli: Cli, awaited: Awaited): Promise<number> {
  const { action, outcome, rows, count, limits, output } = awaited
  const { io, translator } = cli
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
  const endsAt = io.now() + limits.timeoutMs
  const told = new Map<number, string>()
  for (;;) {
    for (const row of await readUntil(cli, endsAt, () => read(arrival), [])) {
      if (told.has(row.id)) continue
      const name = titleOf(resource, row)
      told.set(row.id, name)
      cli.note(
        `${cli.err.paint('ok', cli.err.mark('success'))} ${translator.t('ui.connect.connected', { names: plainText(name) })}`,
      )
    }
    const leftMs = endsAt - io.now()
    if (told.size >= count || leftMs <= 0) break
    await cli.pause(Math.min(limits.pollMs, leftMs))
  }
  if (output) cli.json({ kind: 'connected', connected: [...told].map(([id, name]) => ({ id, name })) })
  if (told.size >= count) return 0
  cli.warn(translator.t('ui.cli.act.notArrived', { came: told.size, count }))
  return runOpenCode
}
