import { observe } from '@legendapp/state'
import type { Client } from '@qd/core/api'
import {
  type AnyRow,
  type Resource,
  type ResourceName,
  type Screen as ScreenName,
  type ShellPlace,
  textKey,
  titleOf,
} from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { account, resourceByName, server, setting } from '@qd/core/resources'
import { shellTitle } from '@qd/core/shells'
import { socketPorts } from '../../base/connect/socket.ts'
import { createCompareScreen } from '../../places/detail/compare-screen.tsx'
import { createDetailScreen } from '../../places/detail/detail-screen.tsx'
import { createFilesScreen } from '../../places/files/files-screen.tsx'
import { createFormScreen } from '../../places/form/form-screen.tsx'
import { createListScreen, type ListScreen } from '../../places/list/list-screen.tsx'
import { showLogs } from '../../places/logs/logs-screen.ts'
import { createKeysSheet } from '../../places/palette/keys-sheet.tsx'
import { copy } from '../../screen/state/copy.ts'
import type { FormPlace, OpenMore, Places, Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { openShell, type ShellEnd, withShellMade } from '../../screen/terminal/shell.ts'

/** Injected, because places don't import each other. */
export function createPlaces(ui: Ui): Places {
  return {
    goTo: (resource) => goTo(ui, resource),
    filter(resource, text, on) {
      if (on !== undefined) listScreen(ui, resource).readOn(on)
      goTo(ui, resource)
      listScreen(ui, resource).setFilter(text)
    },
    openForm: (place, values, onSaved) => openForm(ui, place, values, onSaved),
    openRecord: (name, id) => ui.push(createDetailScreen(ui, resourceByName(name), id)),
    openScreen: (screen, id, more) => openScreen(ui, screen, id, more),
  }
}

const lists = new WeakMap<Workspace, Map<ResourceName, ListScreen>>()

/** Cached, so that it keeps position, selection and filter (behaviour T-21). */
function listScreen(ui: Ui, resource: Resource): ListScreen {
  const known = lists.get(ui.workspace) ?? new Map<ResourceName, ListScreen>()
  lists.set(ui.workspace, known)
  const screen = known.get(resource.name) ?? createListScreen(ui, resource)
  known.set(resource.name, screen)
  return screen
}

/** A single record with more actions than Edit has a page, unless its form has groups. */
const hasPage = ({ actions, form }: Resource) =>
  form.length === 1 && Object.values(actions).some(({ wire }) => wire !== null)

function openSingle(ui: Ui, resource: Resource): Promise<void> {
  const { workspace } = ui
  return ui.trying(() =>
    ui.bring(workspace.records.loadOne(resource.name, 0), ({ id }) => {
      if (ui.workspace === workspace) ui.go(createDetailScreen(ui, resource, id))
    }),
  )
}

/** Opens the list of a resource, or the page or form of a single record; says so if the server lacks it. */
function goTo(ui: Ui, resource: Resource): void {
  const { session, translator } = ui.workspace
  const isKnown = session.state$.status.peek() === 'signedIn'
  const isMissing = isKnown && resource.requires !== null && !session.supports(resource.requires)
  if (isMissing)
    ui.say(`${translator.say(textKey.many(resource.name))}: ${translator.t('ui.reasons.capability')}`, 'warn')
  else if (resource.wire.shape === 'many') ui.go(listScreen(ui, resource))
  else if (hasPage(resource)) void openSingle(ui, resource)
  else void openForm(ui, { resource: resource.name, mode: 'edit', id: null })
}

/** Fetches the record first, so that nobody edits stale data. */
function openForm(
  ui: Ui,
  { resource: name, mode, id }: FormPlace,
  values: Readonly<Record<string, unknown>> = {},
  onSaved?: (id: number | null) => void,
): Promise<void> {
  const resource = resourceByName(name)
  const { workspace } = ui
  const wanted = id ?? (resource.wire.shape === 'one' ? 0 : null)
  const show = (row: AnyRow | null) => {
    if (ui.workspace === workspace)
      ui.push(createFormScreen(ui, { resource, mode, row, values, ...(onSaved && { onSaved }) }))
  }
  return ui.trying(async () => {
    if (wanted === null) show(null)
    else await ui.bring(workspace.records.loadOne(name, wanted), show)
  })
}

function openScreen(
  ui: Ui,
  screen: ScreenName,
  id: number | null,
  { others = [], inside, query = {} }: OpenMore = {},
): void {
  const open: Record<ScreenName, () => void> = {
    login: () => undefined,
    account: () => goTo(ui, account),
    setting: () => goTo(ui, setting),
    help: () => ui.open(createKeysSheet(ui)),
    terminal: () => void showShell(ui, id!, inside),
    files: () => ui.push(createFilesScreen(ui, id!)),
    compare: () => ui.push(createCompareScreen(ui, [id!, ...others])),
    logs: () => void showLogs(ui, query),
    public: () => copy(ui, ui.workspace.settings.url),
    wall: () => copy(ui, `${ui.workspace.settings.url}/wall`),
  }
  open[screen]()
}

function showShell(ui: Ui, id: number, inside?: ShellPlace): Promise<void> {
  const { workspace, io } = ui
  const { client, session, translator, format, settings } = workspace
  const row = workspace.records.peek('server', id)
  const name = shellTitle(row ? plainText(titleOf(server, row)) : `#${id}`, inside)
  const borrow = (made: Client) =>
    ui.terminal.lend(({ typed, whenTakenBack }) => {
      const shell = openShell({
        ...{ host: ui.terminal, typed, ports: socketPorts(io), client: made, baseUrl: settings.url },
        ...{ server: { id, name }, inside, translator, format },
      })
      whenTakenBack(shell.leave)
      // Without a screen to ask on, close the shell; the next one asks.
      const stop = observe(() => {
        if (session.state$.needsProof.get()) session.declineProof()
      })
      return shell.done.finally(stop)
    })
  return ui.trying(async () => {
    const end = await ui.bring(withShellMade(client, id, inside), borrow)
    if (end) tell(ui, name, end)
  })
}

function tell(ui: Ui, name: string, end: ShellEnd): void {
  const { t } = ui.workspace.translator
  if (end.kind === 'refused') ui.fail(end.error)
  else if (end.kind === 'left') ui.say(t('ui.tui.shell.left', { name }))
  else ui.say(`${name}: ${t(`ui.terminal.end.${end.reason}`)}`, end.reason === 'ended' ? 'plain' : 'warn')
}
