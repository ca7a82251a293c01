import {
  type Action,
  type ActionContext,
  type AnyRow,
  type Arguments,
  allowed,
  demand,
  type Outcome,
  type Resource,
  type ResourceName,
  referencesOf,
  type Values,
} from '../define/index.ts'
import { AppError } from '../errors.ts'
import { checkInput } from '../fields/index.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { actionError, type RowsRun, runOnRows, splitRows } from './bulk.ts'
import { type Confirm, confirmOf } from './confirm.ts'
import { actionState } from './state.ts'
import type { TextRef } from './text.ts'

export type RunReport =
  | { kind: 'refused'; reason: TextRef }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: AppError }
  | { kind: 'ok'; outcome: Outcome; refresh: readonly ResourceName[] }

export interface Question {
  readonly action: Action
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  readonly confirm: Confirm | null
  readonly args: Arguments | null
  /** Initial arguments; may call the server. `ask` must pass on its AppErrors. */
  start(): Promise<Values>
}

/** `ask` returns the arguments (`{}` if there are none), or null to cancel. */
export interface RunRequest extends RowsRun {
  action: Action
  rows: readonly AnyRow[]
  context: ActionContext
  supports(capability: string): boolean
  ask(question: Question): Promise<Values | null>
}

/**
 * The one pipeline of actions: check permission and conditions, ask, run, convert errors, list what to reload. Blocked or failing records don’t
 * stop the others; the outcome names them. Never rejects.
 */
export async function runAction({ action, rows, context, supports, ask, ...how }: RunRequest): Promise<RunReport> {
  try {
    const { viewer, view } = context
    if (!allowed(viewer, action)) demand(viewer, action)
    const { reason } = actionState(action, rows, { viewer, view, supports })
    if (reason) return { kind: 'refused', reason }
    const resource = resourceByName(action.resource)
    const question = resource ? questionOf(action, resource, rows, context) : null
    const answer = question ? await answerOf(question, ask) : {}
    if (!answer) return { kind: 'cancelled' }
    const args = checkedArguments(action, answer)
    const outcome = await runOnRows(action, rows, { ...how, context, args })
    return { kind: 'ok', outcome, refresh: outdatedBy(action.resource, outcome) }
  } catch (thrown) {
    const error = actionError(action, thrown)
    return error.code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', error }
  }
}

/** Returns null to cancel. An action that affects many is confirmed in a separate step; a no returns to the form as filled in. */
export async function answerOf(question: Question, ask: RunRequest['ask']): Promise<Values | null> {
  let values = await ask(question)
  while (values && question.args && question.confirm?.level === 'separately') {
    if (await ask({ ...question, args: null })) return values
    values = await ask(startingWith(question, values))
  }
  return values
}

export function questionOf(
  action: Action,
  resource: Resource,
  rows: readonly AnyRow[],
  context: ActionContext,
): Question | null {
  const confirm = confirmOf(action, resource, rows, context)
  const { args } = action
  if (!confirm && !args) return null
  const { ready } = splitRows(action, rows, context.view)
  return { action, resource, rows: ready, confirm, args, start: async () => (args ? args.start(context, ready) : {}) }
}

export function startingWith(question: Question, given: Values | undefined): Question {
  return given ? { ...question, start: async () => ({ ...(await question.start()), ...given }) } : question
}

/** Errors: `invalid` with problems. */
export function checkedArguments({ args }: Action, values: Values): Values {
  if (!args) return {}
  const checked = checkInput(args.input, values)
  if (!checked.ok) throw new AppError('invalid', {}, { problems: checked.problems })
  return checked.input
}

/** Resources to reload after an outcome. Deleting a record also changes those that refer to it. */
export function outdatedBy(resource: ResourceName, outcome: Outcome): readonly ResourceName[] {
  if (outcome.kind === 'sent')
    return [resource, ...(outcome.run === null && !outcome.runs?.length ? [] : (['run'] as const))]
  if (outcome.kind === 'secret') return [resource]
  if (outcome.kind !== 'done') return []
  const naming = resources
    .filter((other) => referencesOf(other).some(({ to }) => to === resource))
    .map(({ name }) => name)
  return outcome.removed?.length ? [...new Set([resource, ...naming])] : [resource]
}
