import { actionState, confirmOf, runAction, sayText } from '@qd/core/actions'
import { type Action, type AnyRow, allowed, demand, type Resource, type View, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import { createDryRun } from '../connect/dry-run.ts'
import type { Cli } from './cli.ts'
import type { FlagValues } from './command.ts'
import { confirmed } from './confirming.ts'
import { printDryRun } from './dry-run-output.ts'
import { showOutcome, waitLimits } from './outcome.ts'
import { parseFields } from './output-flags.ts'
import { pickMany, quoted } from './pick.ts'
import { findOne, recordsOf } from './read.ts'
import type { Records } from './records.ts'

const declinedCode = 1

/** Runs an action on the records that words and flags choose, through the one pipeline, and writes what came of it. Answers the exit code. Errors: AppError. */
export async function act(
  cli: Cli,
  from: { resource: Resource; action: Action; words: readonly string[]; flags: FlagValues },
): Promise<number> {
  const { resource, action } = from
  const { words, flags } = unswallow(action, from.words, from.flags)
  const records = await recordsOf(cli)
  const choose = async () => {
    if (action.on === 'none') return []
    if (action.on === 'one') return [await findOne(resource, records, words[0], action.name)]
    return pickMany({ cli, resource, records, words, flags, command: `qd ${resource.name} ${action.name}` })
  }
  return perform(cli, { action, resource, rows: await choose(), records, flags })
}

/** `qd cron run --json nightly`: the name after a bare `--json` is not a list of fields. */
function unswallow(
  action: Action,
  words: readonly string[],
  flags: FlagValues,
): { words: readonly string[]; flags: FlagValues } {
  const { json } = flags
  if (action.on === 'none' || words.length > 0 || typeof json !== 'string' || isFieldList(json)) return { words, flags }
  return { words: [json], flags: { ...flags, json: true } }
}

function isFieldList(text: string): boolean {
  try {
    return parseFields(runResource, text).length > 0
  } catch {
    return false
  }
}

interface Performed {
  action: Action
  resource: Resource
  rows: readonly AnyRow[]
  records: Records
  flags: FlagValues
}

async function perform(cli: Cli, from: Performed): Promise<number> {
  const { action, resource, rows, records, flags } = from
  const { translator } = cli
  const json =
    flags.json === undefined
      ? null
      : { fields: typeof flags.json === 'string' ? parseFields(runResource, flags.json) : null }
  const limits = action.starts ? waitLimits(flags) : null
  const { client, viewer: whoIs } = await cli.connect()
  const [viewer, capabilities] = await Promise.all([whoIs(), client.capabilities()])
  const supports = (name: string) => capabilities.includes(name)
  // Everything that the pipeline will look at is fetched before it runs, because it looks without waiting.
  const { reason } = await records.read((view) => {
    confirmOf(action, resource, rows, { view, viewer })
    return actionState(action, rows, { viewer, view, supports })
  })
  const view = records.view()
  if (flags.dryRun === true) {
    if (!allowed(viewer, action)) demand(viewer, action)
    if (reason) throw new AppError('blocked', { text: sayText(translator, reason) })
    return dryRun(cli, from, { viewer, view, json: json !== null })
  }
  const command = ['qd', ...cli.io.args].map(quoted).join(' ')
  const report = await runAction({
    action,
    rows,
    supports,
    context: { api: client, viewer, view },
    ask: async ({ confirm }) => (!confirm || (await confirmed(cli, confirm, { flags, command, view })) ? {} : null),
  })
  switch (report.kind) {
    case 'failed':
      throw report.error
    case 'refused':
      throw new AppError('blocked', { text: sayText(translator, report.reason) })
    case 'cancelled':
      cli.note(translator.t('ui.cli.confirm.declined'))
      return declinedCode
    case 'ok':
      return showOutcome(cli, { outcome: report.outcome, action, limits, json })
  }
}

/** Shows the calls of the action and the servers it would reach. */
async function dryRun(
  cli: Cli,
  { action, resource, rows }: Performed,
  { viewer, view, json }: { viewer: Viewer; view: View; json: boolean },
): Promise<number> {
  const { client } = await cli.connect()
  const api = createDryRun(client)
  await action.run({ api, viewer, view }, rows)
  const reach = confirmOf(action, resource, rows, { view, viewer })?.reach
  const named = (ids: readonly number[]) => ids.map((id) => ({ id, name: view.title('server', id) ?? '' }))
  const targets = reach && { online: named(reach.targets.online), offline: named(reach.targets.offline) }
  const notes = reach ? [cli.translator.say(reach.sentence.key, reach.sentence.params)] : []
  printDryRun(cli, { api, json, notes, ...(targets ? { targets } : {}) })
  return 0
}
