import { type AppCommandId, type KeyBinding, keyTable } from '@qd/core/actions'
import { allowed, type Resource } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import type { Language } from '@qd/core/i18n'
import { resourceByName, resources } from '@qd/core/resources'
import { createCommandLine } from '../../places/palette/command-line.ts'
import { createKeysSheet } from '../../places/palette/keys-sheet.tsx'
import { createPalette } from '../../places/palette/palette.ts'
import { switchLanguage, switchProfile } from '../../places/perform/switch.ts'
import { createActivityList } from '../../places/views/activity-list.ts'
import { askToQuit } from '../../places/views/confirm.ts'
import { createCallsScreen } from '../../places/views/log-screens.ts'
import { copy } from '../../screen/state/copy.ts'
import { obey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'

function goBack(ui: Ui): void {
  const { overlay, screen, workspace } = ui
  const status = workspace.session.state$.status.peek()
  if (overlay?.layer === 'confirm' && status !== 'signedIn' && status !== 'unknown') {
    // Signing in again can be canceled; without a session there is nothing else to show.
    if (status === 'ended') workspace.session.giveUp()
    return
  }
  if (overlay) ui.close(overlay)
  else if (!screen?.escape?.()) ui.pop()
}

/** `q`: closes the overlay, goes back, or quits from the first list; asks if something would be lost. */
async function quit(ui: Ui): Promise<void> {
  const { overlay, screen } = ui
  if (overlay || (screen?.unsaved?.() ?? 0) > 0) return goBack(ui)
  if (ui.pop()) return
  const lost = [...(screen?.kept?.() ?? []), ...(ui.working ? [ui.workspace.translator.t('ui.tui.quit.running')] : [])]
  if (lost.length === 0 || (await askToQuit(ui, lost))) ui.quit(0)
}

async function undo(ui: Ui): Promise<void> {
  const { t, runner } = ui.workspace
  const report = await ui.during(runner.undo())
  if (!report) ui.say(t('ui.tui.nothingToUndo'), 'muted')
  else if (report.kind === 'failed') ui.fail(report.error)
  else ui.say(t('ui.tui.undone'), 'ok')
}

function goBeside(ui: Ui, by: 1 | -1): void {
  const lists = listsOf(ui)
  const at = lists.findIndex((resource) => resource === ui.screen?.resource)
  const next = lists[(at + by + lists.length) % lists.length]
  if (next) ui.places.goTo(next)
}

/** Whether a number opens a list: not in a text, whose lines it counts. */
export const numbersLead = ({ screen }: Ui): boolean => screen?.layer === 'page' && !screen.isText

/** The list of a number, from 1 in registry order. */
export const listOfNumber = (ui: Ui, number: number): Resource | undefined =>
  numbersLead(ui) ? listsOf(ui)[number - 1] : undefined

function listsOf(ui: Ui): readonly Resource[] {
  const { session } = ui.workspace
  const viewer = session.viewer()
  return resources.filter(
    ({ wire, audience, scopes, requires }) =>
      wire.shape === 'many' &&
      allowed(viewer, { audience: audience.read, scope: scopes.read }) &&
      (requires === null || session.supports(requires)),
  )
}

function copyCli(ui: Ui): void {
  const line = ui.overlay?.cliLine ? ui.overlay.cliLine() : ui.screen?.cliLine?.()
  if (line) copy(ui, line)
}

export function runCommand(ui: Ui, { command }: Pick<KeyBinding, 'command'>): void {
  const commands: Readonly<Record<string, () => void>> = {
    escape: () => goBack(ui),
    palette: () =>
      ui.overlay?.layer === 'palette' ? ui.close() : ui.open(createPalette(ui, (id) => runAppCommand(ui, id))),
    command: () => ui.open(createCommandLine(ui)),
    keys: () => ui.open(createKeysSheet(ui)),
    calls: () => ui.push(createCallsScreen(ui)),
    previousView: () => ui.goPrevious(),
    quit: () => void quit(ui),
    redraw: () => ui.terminal.redraw(),
    suspend: () => ui.terminal.suspend(),
    reload: () => ui.workspace.retryNow(),
    undo: () => void undo(ui),
    public: () => ui.places.openScreen('public', null),
    logs: () => ui.places.openScreen('logs', null),
    copyCli: () => copyCli(ui),
    previousTab: () => goBeside(ui, -1),
    nextTab: () => goBeside(ui, 1),
  }
  if (command.startsWith('go:')) ui.places.goTo(defined(resourceByName(command.slice(3))))
  else commands[command]?.()
}

function runHere(ui: Ui, command: KeyBinding['command']): void {
  const binding = keyTable(ui.screen?.resource ?? null, 'tui', {
    viewer: ui.workspace.session.viewer(),
    files: true,
  }).find((one) => one.command === command)
  if (!binding || !obey(ui.screen, binding)) runCommand(ui, { command })
}

function runAppCommand(ui: Ui, id: AppCommandId): void {
  if (id.startsWith('language:')) void switchLanguage(ui, id.slice('language:'.length) as Language)
  else if (id.startsWith('connection:')) void switchProfile(ui, id.slice('connection:'.length))
  else if (id === 'activity') ui.open(createActivityList(ui))
  else if (id === 'wall') ui.places.openScreen('wall', null)
  else runHere(ui, id as KeyBinding['command'])
}
