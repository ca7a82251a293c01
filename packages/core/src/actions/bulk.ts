import {
  type Action,
  type ActionContext,
  type AnyRow,
  actionKey,
  type Buckets,
  deriving,
  holds,
  type Outcome,
  plainText,
  type RowFailure,
  textKey,
  titleOf,
  type Values,
  type View,
  withDerived,
} from '../define/index.ts'
import { AppError, firstItem, toAppError } from '../errors.ts'
import { errorText, type Format, firstNames, type Translator } from '../i18n/index.ts'
import { resourceByName } from '../resources/index.ts'
import type { TextRef } from './text.ts'

/** Whether an action sends one call per record, so that it can fail for some of them only. */
export function callsForEach({ wire, waits }: Pick<Action, 'wire' | 'waits'>): boolean {
  return waits || (wire?.path.includes('{id}') ?? false)
}

/** The rows that conditions are checked against. For an action without rows: the single record of its resource, if known. */
export function rowsAbout(action: Action, rows: readonly AnyRow[], view: View): readonly AnyRow[] {
  const isSingle = action.on === 'none' && resourceByName(action.resource)?.wire.shape === 'one'
  return isSingle ? view.all(action.resource).slice(0, 1) : rows
}

export function splitRows(
  action: Action,
  rows: readonly AnyRow[],
  view: View,
): { ready: readonly AnyRow[]; refused: readonly RowFailure[] } {
  const resource = resourceByName(action.resource)
  if (!resource || action.blocked.length === 0) return { ready: rows, refused: [] }
  const refused = rows.flatMap((row) => {
    const full = deriving(resource, row, view)
    const block = action.blocked.find(({ when }) => holds(when, full))
    return block ? [{ id: row.id, error: blockedError(action, block.reason) }] : []
  })
  const ids = new Set(refused.map(({ id }) => id))
  return { ready: rows.filter(({ id }) => !ids.has(id)), refused }
}

export function rowsAlready(
  action: Action,
  rows: readonly AnyRow[],
  view: View,
): readonly { row: AnyRow; reason: TextRef }[] {
  const resource = resourceByName(action.resource)
  if (!resource) return []
  return rows.flatMap((row) => {
    const block = action.blocked.find(({ when }) => holds(when, deriving(resource, row, view)))
    return block?.already ? [{ row, reason: { key: textKey.reason(action.resource, block.reason) } }] : []
  })
}

export interface RowsRun {
  /** Stops after the first row that is refused or fails. */
  readonly failFast?: boolean
  /** Called for each row that is refused or fails, when it happens. */
  onFailed?(failure: RowFailure): void
}

/**
 * Runs an action on rows that are not refused by a condition. Unless `failFast`, a refused or failing row doesn’t stop the others (behavior C-20):
 * the outcome names those that failed. Errors: the AppError of the only row, or of the one call for all.
 */
export async function runOnRows(
  action: Action,
  given: readonly AnyRow[],
  { context, args, failFast = false, onFailed }: RowsRun & { context: ActionContext; args: Values },
): Promise<Outcome> {
  const resource = resourceByName(action.resource)
  const rows = resource ? given.map((row) => withDerived(resource, row, context.view)) : given
  const { refused } = splitRows(action, given, context.view)
  const refusals = new Map(refused.map(({ id, error }) => [id, error]))
  if (rows.length < 2 || !callsForEach(action)) {
    const ready = rows.filter(({ id }) => !refusals.has(id))
    const outcome = withFailures(await action.run(context, ready, args), refused)
    if ('failed' in outcome) for (const failure of outcome.failed ?? []) onFailed?.(failure)
    return outcome
  }
  const outcomes: { id: number; outcome: Outcome }[] = []
  const failed: RowFailure[] = []
  for (const row of rows) {
    const { id } = row
    try {
      const refusal = refusals.get(id)
      if (refusal) throw refusal
      outcomes.push({ id, outcome: await action.run(context, [row], args) })
    } catch (thrown) {
      const failure = { id, error: actionError(action, thrown) }
      failed.push(failure)
      onFailed?.(failure)
      // Ask for the password once, not once per record.
      if (failFast || failure.error.code === 'cancelled') break
    }
  }
  const sent = outcomes.flatMap(({ id, outcome }) => (outcome.kind === 'sent' ? [{ ...outcome, id }] : []))
  if (sent.length > 0) {
    const runs = sent.flatMap(({ id, run }) => (run === null ? [] : [{ id, run }]))
    const changed = sent.flatMap((one) => one.changed)
    const only = runs.length === 1 ? firstItem(runs).run : null
    return { kind: 'sent', run: only, ...(runs.length > 0 && { runs }), changed, failed }
  }
  const done = outcomes.flatMap(({ outcome }) => (outcome.kind === 'done' ? [outcome] : []))
  return {
    kind: 'done',
    changed: done.flatMap(({ changed = [] }) => changed),
    removed: done.flatMap(({ removed = [] }) => removed),
    failed,
  }
}

function withFailures(outcome: Outcome, more: readonly RowFailure[]): Outcome {
  if (more.length === 0 || (outcome.kind !== 'done' && outcome.kind !== 'sent')) return outcome
  return { ...outcome, failed: [...more, ...(outcome.failed ?? [])] }
}

/** How many records an outcome changed. Null if it isn’t about records, or all went well. */
export function partlyDone(outcome: Outcome): { done: number; total: number } | null {
  if (outcome.kind !== 'done' && outcome.kind !== 'sent') return null
  const { failed = [] } = outcome
  if (failed.length === 0) return null
  const done = (outcome.kind === 'done' && outcome.removed?.length) || (outcome.changed?.length ?? 0)
  return { done, total: done + failed.length }
}

/** What an action without records is about, such as the blocked address; empty if its arguments don’t name it. */
export function namedBy(action: Pick<Action, 'on' | 'args'>, values: Values): string {
  const word = action.on === 'none' ? action.args?.word : null
  return word ? String(values[word] ?? '') : ''
}

export const doneText = (translator: Translator, label: { action: string; names: string }): string =>
  label.names === '' ? label.action : translator.t('ui.toast.done', label)

/** Maximum number of names in one line. */
const namedAtMost = 5

/** One line per reason with the names: "web-1, web-2: This incident is over". */
export function failureTexts(
  failed: readonly RowFailure[],
  { translator, format, nameOf }: { translator: Translator; format: Format; nameOf(id: number): string },
): string[] {
  const byReason = new Map<string, string[]>()
  for (const { id, error } of failed) {
    const { title, details } = errorText(translator, error)
    const reason = (error.code === 'blocked' && details.length > 0 ? details : [title, ...details]).join(' ')
    byReason.set(reason, [...(byReason.get(reason) ?? []), nameOf(id)])
  }
  return [...byReason].map(([reason, names]) =>
    translator.t('ui.toast.refused', { names: firstNames(names, namedAtMost, { translator, format }), reason }),
  )
}

const namedInWords = 3

/** An action and its first records, for a sentence about it. */
export function actionWords(
  action: Action,
  rows: readonly AnyRow[],
  { translator, format }: { translator: Translator; format: Format },
): { action: string; names: string } {
  const resource = resourceByName(action.resource)
  return {
    action: translator.say(actionKey(action)),
    names: firstNames(rows, namedInWords, { translator, format }, (row) => plainText(titleOf(resource, row))),
  }
}

/** As `failureTexts`, with the titles of these rows. */
export function refusalTexts(
  failed: readonly RowFailure[],
  { action, rows }: { action: Action; rows: readonly AnyRow[] },
  texts: { translator: Translator; format: Format },
): string[] {
  const resource = resourceByName(action.resource)
  const nameOf = (id: number) => plainText(titleOf(resource, rows.find((row) => row.id === id) ?? { id }))
  return failureTexts(failed, { ...texts, nameOf })
}

/** Who received something, for whom it failed and who is offline: one text per nonempty bucket. `missed` excludes the successes. */
export function bucketTexts(
  buckets: Buckets | undefined,
  { translator, format, nameOf }: { translator: Translator; format: Format; nameOf(id: number): string },
): { all: string[]; missed: string[] } {
  const textOf = (bucket: keyof Buckets) => {
    const ids = buckets?.[bucket] ?? []
    const names = firstNames(ids, namedAtMost, { translator, format }, nameOf)
    return ids.length === 0 ? [] : [translator.t(`ui.toast.buckets.${bucket}`, { names })]
  }
  const missed = [...textOf('failure'), ...textOf('offline')]
  return { all: [...textOf('success'), ...missed], missed }
}

function blockedError({ resource }: Action, reason: string): AppError {
  return new AppError('blocked', { resource, reason })
}

/** Converts what an action threw. A server that refuses by a condition sends its name; the resource adds its sentence. */
export function actionError(action: Action, thrown: unknown): AppError {
  const error = toAppError(thrown)
  const { reason } = error.params
  if (error.code !== 'blocked' || typeof reason !== 'string') return error
  return new AppError('blocked', { ...error.params, resource: action.resource }, { cause: error })
}
