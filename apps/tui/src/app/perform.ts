import { runAction, sayText } from '@qd/core/actions'
import {
  type Action,
  type AnyRow,
  actionKey,
  fieldKey,
  type Outcome,
  type Screen as ScreenName,
  titleOf,
} from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { ask } from '../views/confirm.ts'
import { showSecret } from '../views/secret.ts'
import { copy } from './copy.ts'
import { goTo, openForm, openScreen } from './places.ts'
import { stateOf } from './state-of.ts'
import type { Ui } from './ui.ts'

/** Runs an action on rows through the one pipeline and shows what came of it. */
export async function perform(ui: Ui, action: Action, rows: readonly AnyRow[]): Promise<void> {
  const { desk } = ui
  const { translator } = desk
  const refused = stateOf(ui, action, rows).reason
  if (refused) return ui.say(`${translator.say(actionKey(action))}: ${sayText(translator, refused)}`, 'warn')
  const report = await ui.during(
    runAction({
      action,
      rows,
      context: desk.context(),
      supports: (capability) => desk.session.supports(capability),
      ask: async ({ confirm }) => (!confirm || (await ask(ui, confirm, rows)) ? {} : null),
    }),
  )
  if (report.kind === 'refused') ui.say(sayText(translator, report.reason), 'warn')
  if (report.kind === 'failed') ui.fail(report.error)
  if (report.kind !== 'ok' || ui.desk !== desk) return
  await show(ui, report.outcome, { action, rows })
  void desk.records.refresh(report.refresh)
}

async function show(
  ui: Ui,
  outcome: Outcome,
  { action, rows }: { action: Action; rows: readonly AnyRow[] },
): Promise<void> {
  const { translator, records } = ui.desk
  const resource = resourceByName(action.resource)!
  const names = rows.slice(0, 3).map((row) => plainText(titleOf(resource, row)))
  const listed = ui.desk.format.list(names)
  const label = {
    action: translator.say(actionKey(action)),
    names: rows.length > 3 ? translator.t('ui.value.namesAndMore', { names: listed, count: rows.length - 3 }) : listed,
  }
  if (outcome.kind === 'form') await openForm(ui, outcome)
  if (outcome.kind === 'open') await open(ui, outcome.screen, outcome.id)
  if (outcome.kind === 'list') goTo(ui, resourceByName(outcome.resource)!)
  if (outcome.kind === 'copy') copy(ui, outcome.text)
  if (outcome.kind === 'secret') {
    showSecret(ui, { label: translator.say(fieldKey(resource, outcome.of)), text: outcome.text })
  }
  if (outcome.kind === 'done') {
    records.forget(action.resource, outcome.removed ?? [])
    ui.say(translator.t('ui.toast.done', label), 'ok')
  }
  if (outcome.kind === 'sent') {
    ui.say(translator.t('ui.toast.triggered'), 'ok')
    if (outcome.run !== null) openScreen(ui, 'run', outcome.run)
  }
}

async function open(ui: Ui, screen: ScreenName, id: number | null): Promise<void> {
  if (screen !== 'login') return openScreen(ui, screen, id)
  await ui.desk.session.signOut().catch((thrown: unknown) => ui.fail(toAppError(thrown)))
}
