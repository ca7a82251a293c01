import { type Action, type AnyRow, actionKey, type Resource } from '@qd/core/define'
import { nounOf, type Translator } from '@qd/core/i18n'
import { stateOf } from '../../screen/state/actions.ts'
import type { Hints } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'

/** First and last hints; others in between, in definition order. */
const order: readonly string[] = ['open', 'edit', '', 'duplicate', 'delete']

export function actionHints(ui: Ui, resource: Resource, rows: readonly AnyRow[]): Hints {
  const rank = ({ name }: Action) => (order.includes(name) ? order.indexOf(name) : order.indexOf(''))
  const shown = Object.values(resource.actions)
    .filter((action) => action.key.tui && (action.on === 'none' || !stateOf(ui, action, rows).reason))
    .sort((one, other) => rank(one) - rank(other))
  return Object.fromEntries(
    shown.map((action) => [action.key.tui!, { text: hintWord(ui.workspace.translator, action) }]),
  )
}

/** A short word such as `edit`, else the label. */
export function hintWord(translator: Translator, action: Action): string {
  const own = `ui.tui.verbs.${action.name}`
  return translator.has(own) ? translator.say(own) : nounOf(translator.say(actionKey(action)), translator.language)
}
