import { type Question, questionOf, startingWith } from '@qd/core/actions'
import type { Action, AnyRow, FieldKind, Values } from '@qd/core/define'
import { fieldOf } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { createArgumentsForm, type FormModel } from '@qd/core/view'
import { actionContext } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'

/** An action whose arguments are asked in the palette. */
export interface Asking {
  question: Question
  form: FormModel
}

/** An action with more arguments than this gets a window of its own, where all are visible. */
const mostAsked = 3
const asked: readonly FieldKind[] = ['text', 'address', 'command', 'number', 'duration', 'bytes', 'choice', 'ref']

/** Begins to ask for the arguments of an action, where they are few enough for the palette; null for all others. Errors: AppError. */
export async function askInPalette(
  action: Action,
  rows: readonly AnyRow[],
  given: Values | undefined,
): Promise<Asking | null> {
  const { args } = action
  const resource = resourceByName(action.resource)
  const context = actionContext()
  const question = args && resource ? questionOf(action, resource, rows, context) : null
  if (!args || !resource || !question) return null
  const fields = args.form.flatMap((group) => group.fields)
  if (fields.length > mostAsked || fields.some(({ field }) => !asked.includes(fieldOf(args, field).kind))) return null
  const start = await startingWith(question, given).start()
  const { view, viewer } = context
  return {
    question,
    form: createArgumentsForm({ action, args, resource, rows, start, view, viewer, translator: texts().translator }),
  }
}
