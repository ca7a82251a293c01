import { runAction, sayText } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, type Outcome, type Screen, titleOf } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { navigate } from './navigate.ts'
import { ask, notify, overlays$ } from './overlays.ts'
import { copyText } from './ports.ts'
import { actionContext, records, session } from './stores.ts'
import { texts } from './texts.ts'

/** Where a screen lives. */
export function screenPath(screen: Screen, id: number | null): string {
  const paths: Record<Screen, string> = {
    login: '/dashboard/login',
    account: '/dashboard/profile',
    setting: '/dashboard/settings',
    run: `/dashboard/run/${id}`,
    server: `/dashboard?open=${id}`,
    help: '/dashboard?keys',
    public: '/',
  }
  return paths[screen]
}

/** Runs an action on rows through the one pipeline and shows what came of it. */
export async function perform(action: Action, rows: readonly AnyRow[]): Promise<void> {
  const { translator, say } = texts()
  const report = await runAction({
    action,
    rows,
    context: actionContext(),
    supports: (capability) => session.supports(capability),
    ask,
  })
  if (report.kind === 'refused')
    notify({ tone: 'warn', title: say(actionKey(action)), details: [sayText(translator, report.reason)] })
  if (report.kind === 'failed') notifyError(report.error)
  if (report.kind !== 'ok') return
  await show(report.outcome, action, rows)
  void records.refresh(report.refresh)
}

/** Says a failure in a toast: the sentence, the server's words, what to do. */
export function notifyError(error: AppError): void {
  const { title, details, hint } = errorText(texts().translator, error)
  notify({ tone: 'bad', title, details: hint ? [...details, hint] : details })
}

async function show(outcome: Outcome, action: Action, rows: readonly AnyRow[]): Promise<void> {
  const { t, say, format } = texts()
  const resource = resourceByName(action.resource)!
  const names = format.list(rows.slice(0, 3).map((row) => titleOf(resource, row)))
  const label = {
    action: say(actionKey(action)),
    names: rows.length > 3 ? t('ui.value.namesAndMore', { names, count: rows.length - 3 }) : names,
  }
  if (outcome.kind === 'form') overlays$.form.set({ resource: outcome.resource, mode: outcome.mode, id: outcome.id })
  if (outcome.kind === 'open') open(outcome.screen, outcome.id)
  if (outcome.kind === 'list') navigate(resourceByName(outcome.resource)!.path)
  if (outcome.kind === 'copy') await copy(outcome.text)
  if (outcome.kind === 'done') {
    records.forget(action.resource, outcome.removed ?? [])
    notify({ tone: 'ok', title: t('ui.toast.done', label) })
  }
  if (outcome.kind === 'sent') {
    notify({ tone: 'ok', title: t('ui.toast.triggered'), details: [label.names] })
    if (outcome.run !== null) navigate(screenPath('run', outcome.run))
  }
}

function open(screen: Screen, id: number | null): void {
  if (screen === 'help') overlays$.keys.set(true)
  else if (screen === 'public') location.assign('/')
  else if (screen === 'login') void session.signOut()
  else navigate(screenPath(screen, id))
}

/** Copies a text and says so, by what is `shown` of it; an empty one is a warning (product spec, section 8). */
export async function copy(text: string, shown = text): Promise<void> {
  const { t } = texts()
  if (text === '') notify({ tone: 'warn', title: t('ui.toast.textEmpty') })
  else if (await copyText(text)) notify({ tone: 'ok', title: t('ui.toast.copied', { text: shown }) })
  else notify({ tone: 'bad', title: t('ui.toast.notCopied'), details: [shown] })
}
