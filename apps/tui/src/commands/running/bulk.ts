import { answerOf, type Question, questionOf, type RunReport, sayText, type TextRef } from '@qd/core/actions'
import { type Action, type ActionContext, type AnyRow, type Resource, titleOf, type Values } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { exitCodeOf } from '../../output/print-error.ts'
import type { Cli } from '../cli.ts'
import { type OutcomeShown, refusalLine, showOutcome } from '../printing/outcome.ts'

const declinedCode = 1
const partlyCode = 6

/**
 * Runs an action that takes a call for each record, one after the other: asked once, it goes on after a failure unless it is to stop
 * at the first, and ends with the sums (behaviour C-20). Returns the exit code: 6 where some failed. Errors: `blocked`.
 */
export async function runEach(
  cli: Cli,
  from: {
    action: Action
    resource: Resource
    rows: readonly AnyRow[]
    context: ActionContext
    /** Why the action cannot be run on these, or null. */
    reason: TextRef | null
    failFast: boolean
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
  const failed: { row: AnyRow; error: AppError }[] = []
  for (const row of rows) {
    const report = await run([row], async () => values)
    if (report.kind === 'ok') {
      if (report.outcome.kind === 'done') changed.push(...(report.outcome.changed ?? []))
      if (report.outcome.kind === 'done') removed.push(...(report.outcome.removed ?? []))
      continue
    }
    const error = errorOf(cli, report)
    failed.push({ row, error })
    cli.io.stderr.write(`${refusalLine(cli, `${titleOf(resource, row)} (${row.id})`, error)}\n`)
    if (failFast || error.code === 'cancelled') break
  }
  const done = { ...(changed.length > 0 ? { changed } : {}), ...(removed.length > 0 ? { removed } : {}) }
  if (failed.length === 0) return showOutcome(cli, { ...shown, rows, outcome: { kind: 'done', ...done } })
  const left = rows.slice(changed.length + removed.length + failed.length).map(({ id }) => id)
  if (shown.output)
    cli.json({
      kind: 'done',
      ...done,
      failed: failed.map(({ row, error }) => ({ id: row.id, code: error.code })),
      left,
    })
  const sums = { done: changed.length + removed.length, failed: failed.length, left: left.length }
  cli.note(translator.t('ui.cli.act.partly', sums))
  return sums.done > 0 ? partlyCode : exitCodeOf(failed[0]!.error)
}

/** A record that a condition refuses is one that failed: the others go on. */
function errorOf({ translator }: Cli, report: Exclude<RunReport, { kind: 'ok' }>): AppError {
  if (report.kind === 'failed') return report.error
  return report.kind === 'refused'
    ? new AppError('blocked', { text: sayText(translator, report.reason) })
    : new AppError('cancelled')
}
