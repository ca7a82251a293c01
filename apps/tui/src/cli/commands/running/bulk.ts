import { answerOf, type Question, questionOf, type RunReport, sayText, type TextRef } from '@qd/core/actions'
import {
  type Action,
  type ActionContext,
  type AnyRow,
  type Outcome,
  type Resource,
  titleOf,
  type Values,
} from '@qd/core/define'
import { AppError, firstItem } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import type { Targets } from '@qd/core/targets'
import { exitCodeOf } from '../../../base/output/print-error.ts'
import type { Cli } from '../cli.ts'
import { type OutcomeShown, refusalLine, showOutcome } from '../printing/outcome.ts'
import { runOpenCode } from './wait.ts'

const declinedCode = 1
const partlyCode = 6

/**
 * Runs an action record by record after one question; continues on failure unless told to stop, and prints the sums
 * (behaviour C-20). Exit code 6 if some failed. Errors: `blocked`.
 */
export async function runEach(
  cli: Cli,
  from: {
    action: Action
    resource: Resource
    rows: readonly AnyRow[]
    context: ActionContext
    reason: TextRef | null
    failFast: boolean
    targetsOf(row: AnyRow): Promise<Targets | null>
    shown: Omit<OutcomeShown, 'outcome' | 'rows'>
    ask(question: Question): Promise<Values | null>
    run(rows: readonly AnyRow[], ask: () => Promise<Values>): Promise<RunReport>
  },
): Promise<number> {
  const { action, resource, rows, context, reason, failFast, shown, ask, run } = from
  const { translator } = cli
  if (reason) throw new AppError('blocked', { text: sayText(translator, reason) })
  const question = questionOf(action, resource, rows, context)
  const values = question ? await answerOf(question, ask) : {}
  if (!values) {
    cli.note(translator.t('ui.cli.confirm.declined'))
    return declinedCode
  }
  const changed: number[] = []
  const removed: number[] = []
  let done = 0
  const failed: { row: AnyRow; error: AppError }[] = []
  const sent: Sent[] = []
  for (const row of rows) {
    const targets = await from.targetsOf(row)
    const report = await run([row], async () => values)
    if (report.kind === 'ok') {
      done += 1
      if (report.outcome.kind === 'sent') sent.push({ row, targets, outcome: report.outcome })
      if (report.outcome.kind === 'done') changed.push(...(report.outcome.changed ?? []))
      if (report.outcome.kind === 'done') removed.push(...(report.outcome.removed ?? []))
      continue
    }
    const error = errorOf(cli, report)
    failed.push({ row, error })
    cli.io.stderr.write(`${refusalLine(cli, `${titleOf(resource, row)} (${row.id})`, error)}\n`)
    if (failFast || error.code === 'cancelled') break
  }
  // In order, so the rest is at the end.
  const left = rows.slice(done + failed.length).map(({ id }) => id)
  const sums = { done, failed: failed.length, left: left.length }
  if (sent.length > 0) {
    const codes = await showSent(cli, sent, { ...from, nameOf: (row) => plainText(titleOf(resource, row)) })
    if (failed.length > 0) cli.note(translator.t('ui.cli.act.partly', sums))
    return codeOf([...codes, ...failed.map(({ error }) => exitCodeOf(error))])
  }
  const ids = { ...(changed.length > 0 ? { changed } : {}), ...(removed.length > 0 ? { removed } : {}) }
  if (failed.length === 0) return showOutcome(cli, { ...shown, rows, outcome: { kind: 'done', ...ids } })
  if (shown.output)
    cli.json({
      kind: 'done',
      ...ids,
      failed: failed.map(({ row, error }) => ({ id: row.id, code: error.code })),
      left,
    })
  cli.note(translator.t('ui.cli.act.partly', sums))
  return done > 0 ? partlyCode : exitCodeOf(firstItem(failed).error)
}

interface Sent {
  row: AnyRow
  targets: Targets | null
  outcome: Extract<Outcome, { kind: 'sent' }>
}

/**
 * Results by record, in order: runs below names, or for programs in one list. All were sent first, so they share one
 * limit. Returns their exit codes.
 */
async function showSent(
  cli: Cli,
  sent: readonly Sent[],
  { shown, nameOf }: { shown: Omit<OutcomeShown, 'outcome' | 'rows'>; nameOf(row: AnyRow): string },
): Promise<number[]> {
  const { io, translator } = cli
  const documents: unknown[] = []
  const { limits, output } = shown
  const one: Cli =
    output?.kind === 'json'
      ? Object.assign(Object.create(cli) as Cli, { json: (value: unknown) => documents.push(value) })
      : cli
  const endsAt = io.now() + (limits?.timeoutMs ?? 0)
  if (limits)
    for (const { outcome } of sent)
      if (outcome.run !== null) cli.note(translator.t('ui.cli.run.sent', { id: String(outcome.run) }))
  const codes: number[] = []
  for (const { row, targets, outcome } of sent) {
    if (limits && !output) cli.print(`${nameOf(row)}:`)
    const left = limits && { ...limits, timeoutMs: Math.max(0, endsAt - io.now()) }
    codes.push(await showOutcome(one, { ...shown, limits: left, rows: [row], targets, outcome }))
  }
  if (one !== cli) cli.json(documents)
  return codes
}

function codeOf(codes: readonly number[]): number {
  const [first = 0] = codes
  if (codes.every((code) => code === first)) return first
  return codes.includes(runOpenCode) ? runOpenCode : partlyCode
}

/** A record refused by a condition counts as failed; the others continue. */
function errorOf({ translator }: Cli, report: Exclude<RunReport, { kind: 'ok' }>): AppError {
  if (report.kind === 'failed') return report.error
  return report.kind === 'refused'
    ? new AppError('blocked', { text: sayText(translator, report.reason) })
    : new AppError('cancelled')
}
