import { type Resource, type ResourceName, type Screen as ScreenName, textKey } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { account, resourceByName, setting } from '@qd/core/resources'
import { createDetailScreen } from '../detail/detail-screen.ts'
import { createFormScreen } from '../views/form-screen.ts'
import { createKeysSheet } from '../views/keys-sheet.ts'
import { createListScreen, type ListScreen } from '../views/list-screen.ts'
import { copy } from './copy.ts'
import type { Desk } from './desk.ts'
import { showShell } from './open-shell.ts'
import type { Ui } from './ui.ts'

const lists = new WeakMap<Desk, Map<ResourceName, ListScreen>>()

/** The list of a resource; the same one each time, so that it keeps its position, marks and filter (behaviour T-21). */
export function listScreen(ui: Ui, resource: Resource): ListScreen {
  const known = lists.get(ui.desk) ?? new Map<ResourceName, ListScreen>()
  lists.set(ui.desk, known)
  const screen = known.get(resource.name) ?? createListScreen(ui, resource)
  known.set(resource.name, screen)
  return screen
}

/** Goes to the list of a resource, or to the form of one that has a single record; says so where the server has no such thing. */
export function goTo(ui: Ui, resource: Resource): void {
  const { session, translator } = ui.desk
  const isKnown = session.state$.status.peek() === 'signedIn'
  const isMissing = isKnown && resource.requires !== null && !session.supports(resource.requires)
  if (isMissing)
    ui.say(`${translator.say(textKey.many(resource.name))}: ${translator.t('ui.reasons.capability')}`, 'warn')
  else if (resource.wire.shape === 'many') ui.go(listScreen(ui, resource))
  else void openForm(ui, { resource: resource.name, mode: 'edit', id: null })
}

/** Opens a form; the record of an edit is asked for anew, so that nobody edits what is out of date. */
export async function openForm(
  ui: Ui,
  { resource: name, mode, id }: { resource: ResourceName; mode: 'create' | 'edit' | 'duplicate'; id: number | null },
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const resource = resourceByName(name)!
  const { records, desk } = { records: ui.desk.records, desk: ui.desk }
  const single = resource.wire.shape === 'one'
  try {
    const wanted = id ?? (single ? 0 : null)
    const row = wanted === null ? null : await ui.during(records.loadOne(name, wanted))
    if (ui.desk === desk) ui.push(createFormScreen(ui, { resource, mode, row, values }))
  } catch (thrown) {
    ui.fail(toAppError(thrown))
  }
}

/** Opens the page of one record. */
export function openRecord(ui: Ui, name: ResourceName, id: number): void {
  ui.push(createDetailScreen(ui, resourceByName(name)!, id))
}

/** Opens a screen that is no list, form or record. */
export function openScreen(ui: Ui, screen: ScreenName, id: number | null): void {
  const open: Record<ScreenName, () => void> = {
    login: () => undefined,
    account: () => goTo(ui, account),
    setting: () => goTo(ui, setting),
    help: () => ui.open(createKeysSheet(ui)),
    terminal: () => void showShell(ui, id!),
    public: () => copy(ui, ui.desk.settings.url),
    wall: () => copy(ui, `${ui.desk.settings.url}/wall`),
  }
  open[screen]()
}
