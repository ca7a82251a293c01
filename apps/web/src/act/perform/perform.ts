import {
  actionWords,
  bucketTexts,
  doneText,
  listLine,
  partlyDone,
  type Question,
  refusalTexts,
  sayText,
  startingWith,
} from '@qd/core/actions'
import { unrevokedSessionNote } from '@qd/core/api'
import {
  type Action,
  type AnyRow,
  actionKey,
  type Outcome,
  type Resource,
  type RowFailure,
  type Screen,
  type ShellPlace,
  type Values,
} from '@qd/core/define'
import { type AppError, type ErrorCode, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { resourceByName, run, server } from '@qd/core/resources'
import type { RunnerReport } from '@qd/core/store'
import { recordPath } from '@qd/core/view'
import { copyText } from '../../base/ports.ts'
import { compare } from '../../base/state/charts.ts'
import { listOf } from '../../base/state/list-state.ts'
import { ask, notify, overlays$ } from '../../base/state/overlays.ts'
import { pageResource, pageRows } from '../../base/state/page.ts'
import { runner } from '../../base/state/runner.ts'
import { flushWaiting, session, view } from '../../base/state/stores.ts'
import { keepSignedIn, leaveTabs, notifyTabs } from '../../base/state/tabs.ts'
import { texts } from '../../base/state/texts.ts'
import { logsPath, navigate, searchWithOpen } from '../places/navigate.ts'
import { settingLink } from '../places/setting-link.ts'

export function screenPath(screen: Screen, id: number | null, inside?: ShellPlace): string {
  const shell = inside ? `?${new URLSearchParams({ in: `${inside.kind}/${inside.name}` })}` : ''
  const paths: Record<Screen, string> = {
    login: '/dashboard/login',
    account: '/dashboard/profile',
    setting: '/dashboard/settings',
    terminal: `/dashboard/terminal/${id}${shell}`,
    files: `/dashboard/terminal/${id}?path=`,
    help: '/dashboard?keys',
    public: '/',
    wall: '/wall',
    logs: logsPath,
    compare: recordPath(server, id!),
  }
  return paths[screen]
}

/**
 * `isHere`: while true, the caller shows the failure itself; once false, the outcome is notified without navigation.
 * `args`: given arguments, so that only the confirmation is asked, and not even that with `agreed`; `start`: initial
 * values that can be changed. `done` is awaited before the outcome is shown; false shows nothing.
 */
export interface PerformOptions {
  isHere?: () => boolean
  args?: Values
  start?: Values
  agreed?: boolean
  done?: () => Promise<boolean>
}

export async function perform(
  action: Action,
  rows: readonly AnyRow[],
  { isHere, args, start, agreed = false, done }: PerformOptions = {},
): Promise<RunnerReport> {
  const { translator, say } = texts()
  let begin = start
  const report = await runner.run(action, rows, (question) => {
    if (args) return askGiven(question, args, agreed)
    const asked = startingWith(question, begin)
    begin = undefined
    return ask(asked)
  })
  const tells = isHere?.() ?? false
  if (report.kind === 'refused' && !tells)
    notify({ tone: 'warn', title: say(actionKey(action)), details: [sayText(translator, report.reason)] })
  if (report.kind === 'failed' && !tells) (action.starts === 'run' ? notifyUnexpected : notifyError)(report.error)
  if (report.kind === 'waits') {
    keepSignedIn(report.end)
    await done?.()
    notifyDone(report.outcome, { action, rows, canUndo: true })
    void report.end.then((how) => {
      if (how.kind === 'failed' && rows.length < 2) notifyError(how.error)
      else if (how.kind !== 'takenBack' && how.failed.length > 0) notifyRefused(how.failed, { action, rows })
    })
  }
  if (report.kind === 'ok') {
    const isLeft = isHere !== undefined && !tells
    if (isLeft || ((await done?.()) ?? true)) await show(report.outcome, action, rows, isLeft)
  }
  return report
}

export const shortText = 80

/** Asks only for confirmation. Actions with many targets ask even if `agreed`. */
async function askGiven(question: Question, args: Values, agreed: boolean): Promise<Values | null> {
  if (!question.args) return ask(question)
  const { confirm } = question
  const goesOn = confirm && !agreed && confirm.level !== 'separately' ? await ask({ ...question, args: null }) : {}
  return goesOn && args
}

export function notifyError(error: AppError, about?: string): void {
  const { title, details, hint } = errorText(texts().translator, error)
  const said = hint ? [...details, hint] : details
  notify({ tone: 'bad', title, details: said, ...(about === undefined ? {} : { about }), ...settingLink(error) })
}

/** Errors that have a clear title of their own. */
const expected: readonly ErrorCode[] = [
  ...(['cancelled', 'stepUpRequired', 'wrongPassword', 'unauthorized', 'badToken'] as const),
  ...(['addressRefused', 'notDelivered', 'conflict', 'blocked', 'diskFull', 'databaseAway'] as const),
  ...([
    'unreachable',
    'noRoute',
    'badAnswer',
    'timeout',
    'tooMany',
    'firewall',
    'agentOffline',
    'forbidden',
    'tokenForbidden',
  ] as const),
]

/** Shows a failed save or run. Unexpected errors get the title that the product spec quotes, and the console gets the error. */
export function notifyUnexpected(error: AppError, { note, about }: { note?: string; about?: string } = {}): void {
  const { translator, t } = texts()
  const { title, details, hint } = errorText(translator, error)
  const isExpected = expected.includes(error.code)
  if (!isExpected) console.error(error)
  const said = [...(isExpected ? [] : [title]), ...details, hint, note].filter((line) => line !== undefined)
  const shown = isExpected ? title : t('ui.toast.unexpected')
  notify({ tone: 'bad', title: shown, details: said, ...(about === undefined ? {} : { about }), ...settingLink(error) })
}

export async function undo(): Promise<void> {
  const report = await runner.undo()
  if (report?.kind === 'ok') notify({ tone: 'ok', title: texts().t('ui.toast.undone') })
  if (report?.kind === 'failed') notifyUnexpected(report.error)
}

const labelOf = (action: Action, rows: readonly AnyRow[]) => actionWords(action, rows, texts())

/** The URL of a record; from its list, the panel beside the list as it is. */
function besideList(resource: Resource, id: number): string {
  const isBeside = !resource.detail.isPage && location.pathname === resource.path
  return isBeside ? `${resource.path}?${searchWithOpen(id)}` : recordPath(resource, id)
}

async function show(outcome: Outcome, action: Action, rows: readonly AnyRow[], isLeft: boolean): Promise<void> {
  const { t, say, translator, format } = texts()
  const label = labelOf(action, rows)
  if (outcome.kind === 'form') overlays$.form.set({ resource: outcome.resource, mode: outcome.mode, id: outcome.id })
  if (outcome.kind === 'open') open(outcome)
  if (outcome.kind === 'detail') navigate(besideList(resourceByName(outcome.resource), outcome.id))
  if (outcome.kind === 'list') navigate(resourceByName(outcome.resource).path)
  if (outcome.kind === 'visit') location.assign(outcome.url)
  if (outcome.kind === 'copy')
    await copy(outcome.text, outcome.text.length > shortText ? t('ui.toast.command') : undefined)
  if (outcome.kind === 'secret') overlays$.secret.set(outcome)
  if (outcome.kind === 'report')
    overlays$.report.set({
      title: doneText(translator, label),
      lines: outcome.report({ translator, format, view }),
      resource: action.resource,
      action: action.name,
      answer: outcome.data,
    })
  if (outcome.kind === 'done') notifyDone(outcome, { action, rows })
  if (outcome.kind === 'sent') {
    const own = `ui.done.${action.resource}.${action.name}`
    const nameOf = (id: number) => view.title('server', id) ?? `#${id}`
    const { all, missed } = bucketTexts(outcome.buckets, { translator, format, nameOf })
    const [title, ...details] = translator.has(own)
      ? [t('ui.toast.ended'), say(own, all.length > 0 ? { names: all.join(' · ') } : label)]
      : action.args
        ? [doneText(translator, label), ...missed]
        : [t('ui.toast.triggered'), label.names, ...missed]
    const left = refusals(outcome.failed ?? [], { action, rows })
    notify({
      tone: left.length + missed.length > 0 ? 'warn' : 'ok',
      title,
      details: [...details, ...left],
      ...(outcome.run === null ? {} : { run: outcome.run }),
    })
    if (isLeft) return
    if (outcome.run !== null) navigate(recordPath(run, outcome.run))
    else if (outcome.runs?.length) navigate(run.path)
  }
}

interface Acted {
  action: Action
  rows: readonly AnyRow[]
}

/** Names the changed records, and refused ones with their reasons (behaviour C-20). */
function notifyDone(outcome: Outcome, { action, rows, canUndo = false }: Acted & { canUndo?: boolean }): void {
  const { t, translator } = texts()
  const label = labelOf(action, rows)
  const partly = partlyDone(outcome)
  const failed = (outcome.kind === 'done' && outcome.failed) || []
  notify({
    tone: partly ? 'warn' : 'ok',
    title: partly ? t('ui.toast.partly', { ...partly, action: label.action }) : doneText(translator, label),
    details: refusals(failed, { action, rows }),
    ...(canUndo ? { canUndo } : {}),
  })
}

function notifyRefused(failed: readonly RowFailure[], { action, rows }: Acted): void {
  const title = texts().t('ui.toast.partly', {
    action: labelOf(action, rows).action,
    done: rows.length - failed.length,
    total: rows.length,
  })
  notify({ tone: 'bad', title, details: refusals(failed, { action, rows }) })
}

const refusals = (failed: readonly RowFailure[], acted: Acted) => refusalTexts(failed, acted, texts())

function open({ screen, id, others, inside, query }: Extract<Outcome, { kind: 'open' }>): void {
  if (screen === 'help') overlays$.keys.set(true)
  else if (screen === 'public' || screen === 'wall') location.assign(screenPath(screen, id))
  else if (screen === 'login') void signOut()
  else if (screen === 'files') overlays$.files.set({ server: id!, path: '' })
  else if (screen === 'terminal') openWindow(screenPath(screen, id, inside))
  else {
    if (screen === 'compare') compare(id!, others ?? [])
    navigate(`${screenPath(screen, id)}${query ? `?${new URLSearchParams(query)}` : ''}`)
  }
}

/** Signs out after sending pending calls, in this tab and the others. */
export async function signOut(): Promise<void> {
  await Promise.all([flushWaiting(), leaveTabs()])
  await session.signOut().then(
    (left) => {
      const goesOn = unrevokedSessionNote(left, texts())
      if (goesOn !== null) notify({ tone: 'warn', title: goesOn })
      // The next user didn’t ask for this page.
      navigate('/dashboard/login', { replace: true })
      notifyTabs('changed')
    },
    (thrown: unknown) => notifyError(toAppError(thrown)),
  )
}

function openWindow(path: string): void {
  if (!window.open(path, '_blank')) navigate(path)
}

/**
 * Copies a text and notifies, showing `shown`; an empty text is a warning (product spec, section 8). Returns whether it
 * is in the clipboard.
 */
export async function copy(text: string, shown = text): Promise<boolean> {
  const { t } = texts()
  const isCopied = text !== '' && (await copyText(text))
  if (text === '') notify({ tone: 'warn', title: t('ui.toast.textEmpty') })
  else if (isCopied) notify({ tone: 'ok', title: t('ui.toast.copied', { text: shown }) })
  else notify({ tone: 'bad', title: t('ui.toast.notCopied'), details: [shown] })
  return isCopied
}

export function copyList(): void {
  const resource = pageResource()
  if (!resource) return
  void copy(listLine(resource, resource.wire.shape === 'many' ? listOf(resource).filter : ''))
}

export function openRow(): void {
  const resource = pageResource()
  const [row] = pageRows()
  if (!resource || !row) return
  const address = Object.entries(resource.fields).find(
    ([field, { kind }]) => kind === 'address' && /^https?:\/\//i.test(String(row[field])),
  )
  if (address) window.open(String(row[address[0]]), '_blank', 'noopener,noreferrer')
  else window.open(recordPath(resource, row.id), '_blank', 'noopener')
}
