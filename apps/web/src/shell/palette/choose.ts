import type { AppCommand, SearchEntry } from '@qd/core/actions'
import type { Action, AnyRow, Values } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import type { Language } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import type { RunnerReport, Theme } from '@qd/core/store'
import { recordPath } from '@qd/core/view'
import { obey } from '../../act/keys/keys.ts'
import { perform, screenPath } from '../../act/perform/perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { leaveForm } from '../../base/state/form-leaving.ts'
import { openFiles } from '../../base/state/open-files.ts'
import { overlays$ } from '../../base/state/overlays.ts'
import { records, session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'

/** An open palette. `close` is awaited before anything is shown. */
interface Opened {
  isOpen: () => boolean
  close: () => Promise<void>
}

/** Does what an entry says. `close` does not come when the action fails, whose error is the answer; of a palette that was closed meanwhile the error is told elsewhere. */
export async function choose({ goal }: SearchEntry, { isOpen, close }: Opened): Promise<AppError | null> {
  if (goal.kind === 'record') {
    const resource = resourceByName(goal.resource)
    const row = records.peek(goal.resource, goal.id)
    const action = resource?.actions.open
    return row && action ? errorOf(await perform(action, [row], { isHere: isOpen, done: () => leaving(close) })) : null
  }
  if (goal.kind === 'action' && goal.action.args) {
    // Its window takes the palette's place.
    if (await leaving(close)) void perform(goal.action, goal.rows, goal.given ? { start: goal.given } : {})
    return null
  }
  if (goal.kind === 'action')
    return errorOf(await perform(goal.action, goal.rows, { isHere: isOpen, done: () => leaving(close) }))
  await leaving(close)
  if (goal.kind === 'command') runAppCommand(goal.command)
  if (goal.kind === 'file') openFiles()?.open(goal.name)
  if (goal.kind === 'create')
    overlays$.form.set({ resource: goal.resource.name, mode: 'create', id: null, title: goal.title })
  return null
}

/** Runs an action whose arguments were asked beside what it will do, so that nothing more is asked. */
export async function chooseGiven(
  action: Action,
  rows: readonly AnyRow[],
  args: Values,
  { isOpen, close }: Opened,
): Promise<AppError | null> {
  return errorOf(await perform(action, rows, { isHere: isOpen, args, agreed: true, done: () => leaving(close) }))
}

const errorOf = (report: RunnerReport): AppError | null => (report.kind === 'failed' ? report.error : null)

/** What comes next takes the place of a form below, which may ask to stay: then nothing comes. */
async function leaving(close: () => Promise<void>): Promise<boolean> {
  await close()
  return leaveForm()
}

function runAppCommand({ id, command, resource }: AppCommand): void {
  const [kind, value = ''] = id.split(':')
  if (resource) navigate(resource.path)
  else if (kind === 'theme') session.setTheme(value as Theme)
  else if (kind === 'language') {
    session.setLanguage(value as Language)
    void showLanguage(value as Language)
  } else if (id === 'wall') location.assign(screenPath('wall', null))
  else if (id === 'activity') overlays$.activity.set(true)
  else if (command) obey({ command, action: null })
}

/** Where an entry leads in a tab of its own; null if it has no address. */
export function linkOf({ goal }: SearchEntry): string | null {
  if (goal.kind === 'command') return goal.command.resource?.path ?? (goal.command.id === 'public' ? '/' : null)
  if (goal.kind !== 'record') return null
  const row = records.peek(goal.resource, goal.id)
  return row ? recordPath(resourceByName(goal.resource), row.id) : null
}
