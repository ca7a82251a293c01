import { type Action, actionKey, type Outcome } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import { parseDurationMs } from '../connect/duration.ts'
import type { Cli } from './cli.ts'
import { type FlagValues, textFlag } from './command.ts'
import { recordsOf } from './read.ts'
import { recordJson } from './show.ts'
import { exitCodeOfRun, printRun, runOpenCode, type WaitLimits, waitForRun } from './wait.ts'

const defaultWaitMs = 5 * 60_000
const defaultPollMs = 2000

/** What an outcome is written with. `json` null: for people; its `fields` null: all of them. */
export interface OutcomeShown {
  outcome: Outcome
  action: Action
  /** How long to wait for a run; null: not at all. */
  limits: WaitLimits | null
  json: { fields: readonly string[] | null } | null
}

/** Writes what an action did, after waiting for its run where that was asked for. Answers the exit code. Errors: AppError; `unsupported` where there is no run to wait for. */
export async function showOutcome(cli: Cli, shown: OutcomeShown): Promise<number> {
  const { outcome, limits } = shown
  if (outcome.kind === 'sent' && outcome.run !== null) return showRun(cli, outcome.run, shown)
  if (outcome.kind === 'sent' && limits) {
    throw new AppError('unsupported', { capability: 'runs', text: cli.translator.t('ui.cli.run.noLedger') })
  }
  showDone(cli, shown)
  return 0
}

async function showRun(cli: Cli, id: number, { limits, json }: OutcomeShown): Promise<number> {
  const { t } = cli.translator
  const records = await recordsOf(cli)
  cli.leaveBehind(t('ui.cli.run.goesOn', { id: String(id) }))
  const row = limits ? await waitForRun(cli, { records, id, limits }) : await records.get(runResource, id)
  if (json) {
    const value = await records.read((view) => recordJson(runResource, row, json.fields, view))
    cli.json(value)
  } else if (limits) printRun(cli, row)
  if (!limits) {
    cli.note(t('ui.cli.run.sent', { id: String(id) }))
    return 0
  }
  const code = exitCodeOfRun(row)
  if (code === runOpenCode) cli.warn(t('ui.cli.run.goesOn', { id: String(id) }))
  return code
}

function showDone(cli: Cli, { outcome, action, json }: OutcomeShown): void {
  if (json) {
    cli.json(outcome)
    return
  }
  const { t, say } = cli.translator
  const count = countOf(outcome)
  const resource = say(`resources.${action.resource}.${count === 1 ? 'one' : 'many'}`)
  cli.note(t('ui.cli.act.done', { action: say(actionKey(action)), count, resource }))
}

function countOf(outcome: Outcome): number {
  if (outcome.kind === 'done') return (outcome.removed ?? outcome.changed ?? []).length
  return outcome.kind === 'sent' ? outcome.changed.length : 0
}

/** The limits that flags set; null without `--wait`. Errors: `usage`. */
export function waitLimits(flags: FlagValues): WaitLimits | null {
  const timeout = textFlag(flags, 'timeout')
  const poll = textFlag(flags, 'poll')
  const timeoutMs = timeout === undefined ? defaultWaitMs : parseDurationMs(timeout, '--timeout')
  const pollMs = poll === undefined ? defaultPollMs : parseDurationMs(poll, '--poll')
  return flags.wait === true ? { timeoutMs, pollMs } : null
}
