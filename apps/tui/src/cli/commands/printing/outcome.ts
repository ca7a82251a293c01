import { callsForEach, doneText } from '@qd/core/actions'
import { isRefused } from '@qd/core/api'
import {
  type Action,
  type AnyRow,
  actionKey,
  type Buckets,
  type Outcome,
  type ShellPlace,
  titleOf,
  type Values,
} from '@qd/core/define'
import { AppError, firstItem, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText, nounOf } from '@qd/core/i18n'
import {
  type Rollout,
  type RunCounts,
  type RunItem,
  resourceByName,
  run,
  run as runResource,
  server,
} from '@qd/core/resources'
import { shellTitle } from '@qd/core/shells'
import type { Targets } from '@qd/core/targets'
import { namedFields, parseFields, rolloutStep } from '@qd/core/view'
import { parseDurationMs } from '../../../base/connect/duration.ts'
import { createScreenHost } from '../../../base/io.ts'
import { exitCodeOf } from '../../../base/output/print-error.ts'
import { openShell, withShellMade } from '../../../screen/terminal/shell.ts'
import { type Cli, type FlagValues, partlyCode, textFlag } from '../command.ts'
import { partFields, type ResultOutput } from '../flags/flags.ts'
import { findOne, recordsOf } from '../read.ts'
import { printRunData, readUnrecorded, waitForArrival, waitForEvidence } from '../running/evidence.ts'
import {
  createFollower,
  exitCodeOfDispatch,
  exitCodeOfRun,
  printDispatch,
  printRun,
  readPatiently,
  runOpenCode,
  type WaitLimits,
  waitForRun,
} from '../running/wait.ts'

const defaultWaitMs = 5 * 60_000
const defaultPollMs = 2000
const followedPollMs = 500
const failedCode = 1

export interface OutcomeShown {
  outcome: Outcome
  action: Action
  limits: WaitLimits | null
  output: ResultOutput | null
  rows: readonly AnyRow[]
  args?: Values
  targets?: Targets | null
  named?: string
  /** Prints all output as it comes, for any number of servers. */
  isCommand: boolean
  isOurs?: boolean
  /** Passes on the command's exit code. */
  isHandedOn?: boolean
}

/** Waits for its run first if requested. Returns the exit code. Errors: AppError; `unsupported` without a run. */
export async function showOutcome(cli: Cli, shown: OutcomeShown): Promise<number> {
  const { outcome, limits, output } = shown
  if (outcome.kind === 'sent' && outcome.run !== null) return showRun(cli, outcome.run, shown)
  if (outcome.kind === 'sent' && shown.action.evidence) {
    const { buckets, changed } = outcome
    const unrecorded = { ...shown, targets: shown.targets ?? null, buckets, sentAt: cli.io.now() }
    if (buckets && !output) await showBuckets(cli, buckets)
    if (limits) return waitForEvidence(cli, { ...unrecorded, limits, ids: buckets?.success ?? changed })
    const row = await readUnrecorded(cli, { ...unrecorded, proved: new Map() })
    const code = exitCodeOfDispatch(row)
    if (output) await printRunData(cli, row, output)
    else if (!buckets && code !== 0) printDispatch(cli, row)
    else if (!buckets) showDone(cli, shown)
    return code
  }
  if (outcome.kind === 'open' && outcome.screen === 'terminal') {
    return runShell(cli, outcome.id!, outcome.inside)
  }
  if (outcome.kind === 'copy' && limits && shown.action.brings) {
    const { action, rows, args } = shown
    const many = action.brings?.many
    const count = many === undefined ? Math.max(1, rows.length) : Number(args?.[many])
    return waitForArrival(cli, { action, outcome, rows, count, limits, output })
  }
  if (outcome.kind === 'report') return showReport(cli, outcome, output)
  if (outcome.kind === 'done' && outcome.failed && outcome.failed.length > 0) return showPartly(cli, outcome, shown)
  if (output) cli.json(outcome.kind === 'done' ? doneJson(outcome) : outcome)
  else if (outcome.kind === 'copy' || outcome.kind === 'secret') cli.print(outcome.text)
  else if (outcome.kind === 'sent' && outcome.buckets) return showBuckets(cli, outcome.buckets)
  else showDone(cli, shown)
  return 0
}

type Done = Extract<Outcome, { kind: 'done' }>
type Sent = Extract<Outcome, { kind: 'sent' }>

/** Always the same members, so that a filter fits every outcome (docs/automate/scripts.md). */
export function doneJson({ changed = [], removed = [], failed = [] }: Partial<Done>, left: readonly number[] = []) {
  return { kind: 'done', changed, removed, failed: failed.map(({ id, error }) => ({ id, code: error.code })), left }
}

/** Prints the sums (behaviour C-20). Records after `--fail-fast` are left. */
function showPartly(cli: Cli, outcome: Done, { action, output, rows }: OutcomeShown): number {
  const { changed = [], removed = [], failed = [] } = outcome
  const tried = new Set([...changed, ...removed, ...failed.map(({ id }) => id)])
  const left = callsForEach(action) ? rows.map(({ id }) => id).filter((id) => !tried.has(id)) : []
  if (output) cli.json(doneJson(outcome, left))
  const done = changed.length + removed.length
  cli.note(cli.t('ui.cli.act.partly', { done, failed: failed.length, left: left.length }))
  return done > 0 ? partlyCode : exitCodeOf(firstItem(failed).error)
}

/** Runs below names, or for programs in one list. All were sent first, so they share one limit. Returns the exit code. */
export async function showEach(
  cli: Cli,
  shown: OutcomeShown & { outcome: Sent },
  targetsOf: (row: AnyRow) => Promise<Targets | null>,
): Promise<number> {
  const { io, translator } = cli
  const { limits, output, action, rows } = shown
  const { runs = [], changed, failed = [] } = shown.outcome
  const resource = resourceByName(action.resource)
  const sent = rows.filter(({ id }) => changed.includes(id))
  const documents: unknown[] = []
  const one: Cli =
    output?.kind === 'json'
      ? Object.assign(Object.create(cli) as Cli, { json: (value: unknown) => documents.push(value) })
      : cli
  const endsAt = io.now() + (limits?.timeoutMs ?? 0)
  if (limits) for (const { run: id } of runs) cli.note(translator.t('ui.cli.run.sent', { id: String(id) }))
  const codes = failed.map(({ error }) => exitCodeOf(error))
  for (const row of sent) {
    if (limits && !output) cli.print(`${plainText(titleOf(resource, row))}:`)
    const left = limits && { ...limits, timeoutMs: Math.max(0, endsAt - io.now()) }
    const own = runs.find(({ id }) => id === row.id)
    const outcome: Sent = { kind: 'sent', run: own?.run ?? null, changed: [row.id] }
    codes.push(await showOutcome(one, { ...shown, limits: left, rows: [row], targets: await targetsOf(row), outcome }))
  }
  if (one !== cli) cli.json(documents)
  const sums = { done: sent.length, failed: failed.length, left: rows.length - sent.length - failed.length }
  if (failed.length > 0) cli.note(translator.t('ui.cli.act.partly', sums))
  const [first = 0] = codes
  if (codes.every((code) => code === first)) return first
  return codes.includes(runOpenCode) ? runOpenCode : partlyCode
}

export function refusalLine({ translator, err }: Cli, name: string, error: AppError): string {
  const { title, details } = errorText(translator, error)
  const text = [`${plainText(name)}: ${title}`, ...details.map(plainText)].join('; ')
  return `${err.paint('bad', translator.t('ui.cli.error.error'))} ${text}`
}

const reportCodes = { well: 0, partly: partlyCode, badly: failedCode } as const

async function showReport(
  cli: Cli,
  { report, data, ended = 'well' }: Extract<Outcome, { kind: 'report' }>,
  output: ResultOutput | null,
): Promise<number> {
  if (output) cli.json(data)
  else {
    const { translator, format, out } = cli
    const records = await recordsOf(cli)
    for (const { text, tone } of await records.read((view) => report({ translator, format, view })))
      cli.print(out.paint(tone, plainText(text)))
  }
  return reportCodes[ended]
}

export async function showRun(cli: Cli, id: number, shown: Omit<OutcomeShown, 'outcome' | 'rows'>): Promise<number> {
  const { limits: asked, output, isCommand, isOurs = false, isHandedOn = false, action } = shown
  const { t } = cli
  const records = await recordsOf(cli)
  cli.leaveBehind((translator) => translator.t('ui.cli.run.goesOn', { id: String(id) }))
  const endsAt = cli.io.now() + (asked?.timeoutMs ?? 0)
  const sent = await readPatiently(cli, endsAt, () => records.get(runResource, id)).catch((thrown: unknown) => {
    // Whoever may start but not read a run hears that it was sent.
    if (asked || !isRefused(thrown)) throw thrown
    return null
  })
  if (!sent) {
    if (output) cli.json({ id })
    cli.note(t('ui.cli.run.sent', { id: String(id) }))
    return 0
  }
  const limits = asked && withSoak(asked, sent)
  const isMissed = !limits && exitCodeOfDispatch(sent) !== 0
  if (isMissed || (action.targets && !isCommand)) printDispatch(cli, sent)
  if (limits && isOurs) endByInterrupt(cli, id)
  const follower = isCommand && !output ? createFollower(cli) : null
  const row = limits ? await waitForRun(cli, { records, run: sent, limits, follower }) : sent
  if (output) await printRunData(cli, row, output)
  else if (limits) printRun(cli, row, { isWritten: follower !== null })
  if (!limits) {
    const code = exitCodeOfDispatch(row)
    cli.note(t(code === failedCode ? 'ui.cli.run.notSent' : 'ui.cli.run.sent', { id: String(id) }))
    // A quiet script still needs the run's id.
    if (cli.flags.quiet && !output) cli.print(String(id))
    return code
  }
  const rollout = (row.rollout as Rollout)?.state
  if (rollout === 'stopped') cli.warn(t('ui.cli.run.stopped'))
  const code = exitCodeOfRun(row)
  const [item] = row.items as readonly RunItem[]
  if (isHandedOn && typeof item?.exit_code === 'number') return handedOn(item.exit_code)
  if (code === runOpenCode)
    cli.warn(t(rollout === 'paused' ? 'ui.cli.run.paused' : 'ui.cli.run.goesOn', { id: String(id) }))
  return code
}

/** Fits an exit code into a byte, never turning failure into 0. */
const handedOn = (code: number): number => (code === 0 ? 0 : code & 255 || failedCode)

function withSoak(limits: WaitLimits, row: AnyRow): WaitLimits {
  const rollout = row.rollout as Rollout
  if (!limits.isUsual || !rollout) return limits
  const { steps } = rolloutStep(rollout, row.counts as RunCounts)
  return { ...limits, timeoutMs: limits.timeoutMs + (steps - 1) * rollout.soak * 1000 }
}

async function showBuckets(cli: Cli, buckets: Buckets): Promise<number> {
  const { say } = cli
  const groups = [
    [say('ui.run.states.sent'), buckets.success],
    [say('ui.run.reasons.offline'), buckets.offline],
    [say('ui.run.states.failure'), buckets.failure],
  ] as const
  const records = await recordsOf(cli)
  const lines = await records.read((view) =>
    groups
      .filter(([, ids]) => ids.length > 0)
      .map(
        ([label, ids]) => `${label}: ${ids.map((id) => plainText(view.title('server', id) ?? `#${id}`)).join(', ')}`,
      ),
  )
  for (const line of lines) cli.print(line)
  if (buckets.offline.length + buckets.failure.length === 0) return 0
  return buckets.success.length > 0 ? partlyCode : failedCode
}

function showDone(cli: Cli, { outcome, action, named = '' }: OutcomeShown): void {
  const { t, say } = cli
  if (action.on === 'none') {
    cli.note(doneText(cli.translator, { action: say(actionKey(action)), names: plainText(named) }))
    return
  }
  const touched = (name: 'changed' | 'removed') => (outcome as Partial<Done>)[name]?.length ?? 0
  const count = touched('changed') + touched('removed')
  const noun = say(`resources.${action.resource}.${count === 1 ? 'one' : 'many'}`)
  const resource = nounOf(noun, cli.language)
  cli.note(t('ui.cli.act.done', { action: say(actionKey(action)), count, resource }))
}

export function outputOf({ json, jsonl }: FlagValues): ResultOutput | null {
  if (jsonl !== undefined)
    return { kind: 'parts', fields: typeof jsonl === 'string' ? namedFields(jsonl, partFields()) : partFields() }
  if (json === undefined) return null
  return { kind: 'json', fields: typeof json === 'string' ? parseFields(runResource, json) : null }
}

export function waitLimits(flags: FlagValues, { isFollowed = false } = {}): WaitLimits | null {
  const timeout = textFlag(flags, 'timeout')
  const poll = textFlag(flags, 'poll')
  const timeoutMs = timeout === undefined ? defaultWaitMs : parseDurationMs(timeout, '--timeout')
  const pollMs = poll === undefined ? (isFollowed ? followedPollMs : defaultPollMs) : parseDurationMs(poll, '--poll')
  return flags.wait === true ? { timeoutMs, pollMs, ...(timeout === undefined && { isUsual: true }) } : null
}

/** The first Ctrl+C cancels the run, if supported; the wait then sees it end. */
function endByInterrupt(cli: Cli, id: number): void {
  const { path, method } = run.actions.stop.wire
  cli.onInterrupt(async () => {
    const { client } = await cli.connect()
    await client.send({ method, path: path.replace('{id}', String(id)) })
    cli.note(`\n${cli.t('ui.cli.run.ending', { id: String(id) })}`)
  })
}

/** Returns the shell's exit status, 0 if unknown. Errors: AppError; `usage` without a terminal, naming alternatives. */
async function runShell(cli: Cli, id: number, inside?: ShellPlace): Promise<number> {
  const { io, translator, format } = cli
  if (!io.stdin.isTTY || !io.stdout.isTTY) throw usageError('noShellTerminal', { try: `qd exec ${id} -- COMMAND` })
  const { client, settings } = await cli.connect()
  const row = await findOne(server, await recordsOf(cli), String(id), 'shell')
  const name = shellTitle(plainText(titleOf(server, row)), inside)
  const made = await withShellMade(client, row.id, inside)
  cli.stopAsking()
  const { socketPorts } = await import('../../../base/connect/socket.ts')
  const { done } = openShell({
    host: createScreenHost(),
    ports: socketPorts(io),
    client: made,
    baseUrl: settings.url,
    server: { id, name },
    inside,
    translator,
    format,
  })
  const end = await done
  if (end.kind === 'refused') throw end.error
  if (end.kind === 'left') {
    cli.note(translator.t('ui.tui.shell.left', { name }))
    return 0
  }
  if (end.reason === 'ended') return end.exit ?? 0
  throw new AppError('failed', { text: `${name}: ${translator.t(`ui.terminal.end.${end.reason}`)}` })
}
