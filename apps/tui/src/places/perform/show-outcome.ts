import { actionWords, bucketTexts, doneText, partlyDone, refusalTexts } from '@qd/core/actions'
import { unrevokedSessionNote } from '@qd/core/api'
import { type Action, type AnyRow, fieldKey, type Outcome, titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { resourceByName, run } from '@qd/core/resources'
import { createArrival } from '@qd/core/view'
import { copy } from '../../screen/state/copy.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { askCode } from '../views/ask-line.tsx'
import { createReportScreen } from '../views/output-screen.tsx'
import { type ShownText, showText } from '../views/text-box.tsx'

export async function showOutcome(
  ui: Ui,
  outcome: Outcome,
  { action, rows }: { action: Action; rows: readonly AnyRow[] },
): Promise<void> {
  const { translator, format, view, t, say } = ui.workspace
  const resource = resourceByName(action.resource)!
  const label = actionWords(action, rows, ui.workspace)
  if (outcome.kind === 'form') await ui.places.openForm(outcome)
  if (outcome.kind === 'open') await open(ui, outcome)
  if (outcome.kind === 'detail') ui.places.openRecord(outcome.resource, outcome.id)
  if (outcome.kind === 'list') ui.places.goTo(resourceByName(outcome.resource)!)
  if (outcome.kind === 'visit') await takeCode(ui, outcome.url, { action, rows })
  if (outcome.kind === 'copy') {
    copy(ui, outcome.text)
    // Also shown, because not every terminal supports its clipboard.
    if (action.args) {
      const shown = { title: label.action, help: '', text: outcome.text, close: t('ui.tui.hints.close'), isOnce: false }
      showText(ui, { ...shown, ...(action.brings && (await arrivals(ui, { action, rows }))) })
    }
  }
  if (outcome.kind === 'secret') {
    const label = say(fieldKey(resource, outcome.of))
    const once = { title: `${label}: ${t('ui.secret.title')}`, help: t('ui.secret.help'), close: t('ui.secret.saved') }
    const again = { title: label, help: t('ui.secret.again'), close: t('ui.tui.hints.close') }
    showText(ui, { ...(outcome.again ? again : once), text: outcome.text, isOnce: !outcome.again })
  }
  if (outcome.kind === 'report') {
    const lines = outcome.report(ui.workspace)
    const [first] = lines
    if (first && lines.length === 1) ui.say(first.text, first.tone)
    else
      ui.push(
        createReportScreen(ui, {
          resource: resourceByName(action.resource)!,
          place: [label.names, label.action].filter(Boolean),
          lines,
        }),
      )
  }
  if (outcome.kind === 'done') {
    const partly = partlyDone(outcome)
    if (!partly) ui.say(doneText(translator, label), 'ok')
    else
      ui.say(
        `${t('ui.toast.partly', { ...partly, action: label.action })} · ${refusalTexts(outcome.failed ?? [], { action, rows }, ui.workspace).join(' · ')}`,
        'warn',
      )
  }
  if (outcome.kind === 'sent') {
    const own = `ui.done.${action.resource}.${action.name}`
    const nameOf = (id: number) => plainText(view.title('server', id) ?? `#${id}`)
    const { all, missed } = bucketTexts(outcome.buckets, { translator, format, nameOf })
    const said = translator.has(own)
      ? [say(own, all.length > 0 ? { names: all.join(' · ') } : label)]
      : [action.args ? doneText(translator, label) : t('ui.toast.triggered', label), ...missed]
    const refused = refusalTexts(outcome.failed ?? [], { action, rows }, ui.workspace)
    ui.say([...said, ...refused].join(' · '), missed.length + refused.length > 0 ? 'warn' : 'ok')
    if (outcome.run !== null) ui.places.openRecord(run.name, outcome.run)
    else if (outcome.runs?.length) ui.places.goTo(run)
  }
}

/** What a text that brings records is shown with until its box is closed: whether they have come. */
async function arrivals(
  { workspace }: Ui,
  { action, rows }: { action: Action; rows: readonly AnyRow[] },
): Promise<Pick<ShownText, 'status' | 'closed'>> {
  const { translator, records, format, view } = workspace
  const resource = resourceByName(action.resource)
  const closed = records.watch(resource.name)
  await records.load(resource.name)
  const arrival = createArrival(action, { resource, rows, view })
  const status = () => {
    const names = arrival(view).map((row) => plainText(titleOf(resource, row)))
    if (names.length === 0) return translator.t('ui.connect.waiting')
    return translator.t('ui.connect.connected', { names: format.list(names) })
  }
  return { status, closed }
}

/** Opens a browser and asks for the code from its page (behaviour C-27). */
async function takeCode(
  ui: Ui,
  address: string,
  { action, rows }: { action: Action; rows: readonly AnyRow[] },
): Promise<void> {
  const { workspace } = ui
  const label = actionWords(action, rows, ui.workspace)
  for (;;) {
    const paste = await askCode(ui, { title: label.action, address })
    if (paste === null || ui.workspace !== workspace) return
    try {
      await ui.during(workspace.client.send({ method: 'POST', path: 'oauth2/claim', body: { paste } }))
      void workspace.records.loadOne(action.resource, 0)
      return ui.say(doneText(workspace.translator, label), 'ok')
    } catch (thrown) {
      ui.fail(toAppError(thrown))
    }
  }
}

async function open(ui: Ui, { screen, id, ...more }: Extract<Outcome, { kind: 'open' }>): Promise<void> {
  if (screen !== 'login') return ui.places.openScreen(screen, id, more)
  const { session, translator, format } = ui.workspace
  try {
    const goesOn = unrevokedSessionNote(await session.signOut(), { translator, format })
    if (goesOn !== null) ui.say(goesOn)
  } catch (thrown) {
    ui.fail(toAppError(thrown))
  }
}
