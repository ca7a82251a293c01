import { actionState, confirmOf, runAction, sayText } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, allowed, demand, type Outcome, type Resource } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import { createDryRun } from '../connect/dry-run.ts'
import { parseDurationMs } from '../connect/duration.ts'
import { jsonDocument } from '../output/encode.ts'
import type { Cli } from './cli.ts'
import { type FlagValues, textFlag } from './command.ts'
import { confirmed } from './confirming.ts'
import { printDryRun } from './dry-run-output.ts'
import { parseFields } from './output-flags.ts'
import { pickMany, quoted } from './pick.ts'
import { findOne, recordsOf } from './read.ts'
import type { Records } from './records.ts'
import { recordJson } from './show.ts'
import { exitCodeOfRun, printRun, waitForRun } from './wait.ts'

const defaultWaitMs = 5 * 60_000
const defaultPollMs = 2000
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

async function perform(
  cli: Cli,
  from: { action: Action; resource: Resource; rows: readonly AnyRow[]; records: Records; flags: FlagValues },
): Promise<number> {
  const { action, resource, rows, records, flags } = from
  const { translator } = cli
  const { client, viewer: whoIs } = await cli.connect()
  const fields = typeof flags.json === 'string' ? parseFields(runResource, flags.json) : null
  const limits = action.starts ? waitLimits(flags) : null
  const [viewer, capabilities] = await Promise.all([whoIs(), client.capabilities()])
  const supports = (name: string) => capabilities.includes(name)
  await records.read((view) => [
    actionState(action, rows, { viewer, view, supports }),
    confirmOf(action, resource, rows, { view, viewer }),
  ])
  const view = records.view()
  if (flags.dryRun === true) {
    if (!allowed(viewer, action)) demand(viewer, action)
    const { reason } = actionState(action, rows, { viewer, view, supports })
    if (reason) throw new AppError('blocked', { text: sayText(translator, reason) })
    const api = createDryRun(client)
    await action.run({ api, viewer, view }, rows)
    const reach = confirmOf(action, resource, rows, { view, viewer })?.reach
    const named = (ids: readonly number[]) => ids.map((id) => ({ id, name: view.title('server', id) ?? '' }))
    const targets = reach
      ? { targets: { online: named(reach.targets.online), offline: named(reach.targets.offline) } }
      : {}
    printDryRun(cli, {
      api,
      json: flags.json !== undefined,
      notes: reach ? [translator.say(reach.sentence.key, reach.sentence.params)] : [],
      ...targets,
    })
    return 0
  }
  const command = ['qd', ...cli.io.args].map(quoted).join(' ')
  const report = await runAction({
    action,
    rows,
    supports,
    context: { api: client, viewer, view },
    ask: (confirm) => confirmed(cli, confirm, { flags, command, view }),
  })
  if (report.kind === 'failed') throw report.error
  if (report.kind === 'refused') throw new AppError('blocked', { text: sayText(translator, report.reason) })
  if (report.kind === 'cancelled') {
    cli.note(translator.t('ui.cli.confirm.declined'))
    return declinedCode
  }
  return show(cli, { outcome: report.outcome, action, resource, fields, limits, json: flags.json !== undefined })
}

async function show(
  cli: Cli,
  from: {
    outcome: Outcome
    action: Action
    resource: Resource
    fields: readonly string[] | null
    limits: ReturnType<typeof waitLimits>
    json: boolean
  },
): Promise<number> {
  const { outcome, action, resource, fields, limits, json } = from
  const { translator } = cli
  if (outcome.kind === 'sent' && outcome.run !== null) {
    const { run: id } = outcome
    const records = await recordsOf(cli)
    cli.leaveBehind(translator.t('ui.cli.run.goesOn', { id: String(id) }))
    const row = limits ? await waitForRun(cli, { records, id, limits }) : await records.get(runResource, id)
    if (json) {
      const value = await records.read((view) => recordJson(runResource, row, fields, view))
      cli.io.stdout.write(jsonDocument(value, cli.io.stdout))
    } else if (limits) printRun(cli, row)
    if (!limits) {
      cli.note(translator.t('ui.cli.run.sent', { id: String(id) }))
      return 0
    }
    const code = exitCodeOfRun(row)
    if (code === 7) cli.warn(translator.t('ui.cli.run.goesOn', { id: String(id) }))
    return code
  }
  if (outcome.kind === 'sent' && limits)
    throw new AppError('unsupported', { capability: 'runs', text: translator.t('ui.cli.run.noLedger') })
  const ids =
    outcome.kind === 'done'
      ? (outcome.removed ?? outcome.changed ?? [])
      : outcome.kind === 'sent'
        ? outcome.changed
        : []
  if (json) cli.io.stdout.write(jsonDocument(outcome, cli.io.stdout))
  else
    cli.note(
      translator.t('ui.cli.act.done', {
        action: translator.say(actionKey(action)),
        count: ids.length,
        resource: translator.say(`resources.${resource.name}.${ids.length === 1 ? 'one' : 'many'}`),
      }),
    )
  return 0
}

function waitLimits(flags: FlagValues): { timeoutMs: number; pollMs: number } | null {
  const timeout = textFlag(flags, 'timeout')
  const poll = textFlag(flags, 'poll')
  const timeoutMs = timeout === undefined ? defaultWaitMs : parseDurationMs(timeout, '--timeout')
  const pollMs = poll === undefined ? defaultPollMs : parseDurationMs(poll, '--poll')
  return flags.wait === true ? { timeoutMs, pollMs } : null
}
