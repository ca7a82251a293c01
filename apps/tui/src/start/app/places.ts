import { observe } from '@legendapp/state'
import type { Client } from '@qd/core/api'
import { type AnyRow, type Resource, type ResourceName, type ShellPlace, textKey, titleOf } from '@qd/core/define'
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
import type { Places, Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { openShell, type ShellEnd, withShellMade } from '../../screen/terminal/shell.ts'

/** Injected, because places don't import each other. */
export function createPlaces(ui: Ui): Places {
  const places: Places = {
    /** Opens the list of a resource, or the page or form of a single record; says so if the server lacks it. */
    goTo(resource) {
      const { session, say, t } = ui.workspace
      const isKnown = session.state$.status.peek() === 'signedIn'
      const isMissing = isKnown && resource.requires !== null && !session.supports(resource.requires)
      if (isMissing) ui.say(`${say(textKey.many(resource.name))}: ${t('ui.reasons.capability')}`, 'warn')
      else if (resource.wire.shape === 'many') ui.go(listScreen(ui, resource))
      else if (hasPage(resource)) void openSingle(ui, resource)
      else void places.openForm({ resource: resource.name, mode: 'edit', id: null })
    },
    filter(resource, text, on) {
      if (on !== undefined) listScreen(ui, resource).readOn(on)
      places.goTo(resource)
      listScreen(ui, resource).setFilter(text)
    },
    /** Fetches the record first, so that nobody edits stale data. */
    openForm({ resource: name, mode, id }, values = {}, onSaved) {
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
    },
    openRecord: (name, id) => ui.push(createDetailScreen(ui, resourceByName(name), id)),
    openScreen(screen, id, { others = [], inside, query = {} } = {}) {
      const { url } = ui.workspace.settings
      const open: Record<typeof screen, () => void> = {
        login: () => undefined,
        account: () => places.goTo(account),
        setting: () => places.goTo(setting),
        help: () => ui.open(createKeysSheet(ui)),
        terminal: () => void showShell(ui, id!, inside),
        files: () => ui.push(createFilesScreen(ui, id!)),
        compare: () => ui.push(createCompareScreen(ui, [id!, ...others])),
        logs: () => void showLogs(ui, query),
        public: () => copy(ui, url),
        wall: () => copy(ui, `${url}/wall`),
      }
      open[screen]()
    },
  }
  return places
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
