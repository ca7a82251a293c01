import type { AppCommand, SearchEntry } from '@qd/core/actions'
import type { Action, AnyRow, Values } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import type { Language } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import type { RunnerReport, Theme } from '@qd/core/store'
import { recordPath } from '@qd/core/view'
import { obey } from '../../act/keys/keys.ts'
import { perform, screenPath } from '../../act/perform/perform.ts'
import { logsPath, navigate } from '../../act/places/navigate.ts'
import { leaveForm } from '../../base/state/form-leaving.ts'
import { openFiles } from '../../base/state/open-files.ts'
import { overlays$ } from '../../base/state/overlays.ts'
import { records, session } from '../../base/state/stores.ts'
import { showLanguage } from '../../base/state/texts.ts'

interface Opened {
  isOpen: () => boolean
  close: () => Promise<void>
}

/** Runs an entry. On an error the palette stays open and shows it; after it was closed, the error is a toast. */
export async function choose({ goal }: SearchEntry, { isOpen, close }: Opened): Promise<AppError | null> {
  if (goal.kind === 'record') {
    const resource = resourceByName(goal.resource)
    const row = records.peek(goal.resource, goal.id)
    const action = resource?.actions.open
    return row && action ? errorOf(await perform(action, [row], { isHere: isOpen, done: () => leaving(close) })) : null
  }
  if (goal.kind === 'action' && goal.action.args) {
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

/** Runs an action with complete arguments, without asking again. */
export async function chooseGiven(
  action: Action,
  rows: readonly AnyRow[],
  args: Values,
  { isOpen, close }: Opened,
): Promise<AppError | null> {
  return errorOf(await perform(action, rows, { isHere: isOpen, args, agreed: true, done: () => leaving(close) }))
}

const errorOf = (report: RunnerReport): AppError | null => (report.kind === 'failed' ? report.error : null)

/** Closes the palette and the form below; false if the user keeps the form. */
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

const links: Readonly<Record<string, string>> = { public: '/', logs: logsPath }

export function linkOf({ goal }: SearchEntry): string | null {
  if (goal.kind === 'command') return goal.command.resource?.path ?? links[goal.command.id] ?? null
  if (goal.kind !== 'record') return null
  const row = records.peek(goal.resource, goal.id)
  return row ? recordPath(resourceByName(goal.resource), row.id) : null
}
