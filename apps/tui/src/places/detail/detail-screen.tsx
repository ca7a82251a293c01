import { actionLine, listLine } from '@qd/core/actions'
import { type AnyRow, type Resource, type SectionKind, textKey, titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { nounOf } from '@qd/core/i18n'
import { detailNeeds, watchAllowed, watchWithNeeds } from '@qd/core/store'
import { headingOf, rowStatus } from '@qd/core/view'
import { endAll } from '../../screen/state/loaded.ts'
import { createState } from '../../screen/state/observed.ts'
import { type Area, hintsIf, type Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Line, line, ruleLine, span, spokenCells, spokenLine } from '../../screen/terminal/line.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { actionMenu, copyMenu } from '../perform/list-menus.ts'
import { perform } from '../perform/perform.ts'
import { actionHints } from '../views/action-hints.ts'
import { titleRule } from '../views/detail-pane.ts'
import { showRaw } from '../views/log-screens.ts'
import { createMenu } from '../views/menu.ts'
import { spokenRecord } from '../views/spoken.ts'
import { stepCommands } from '../views/steps.ts'
import type { LinkTo, SectionView } from './section-view.ts'
import { createParts, type Drawn, pageOf } from './sections.ts'

/** A page of scrolling sections, or the screen of a section that fills it. */
export function createDetailScreen(ui: Ui, resource: Resource, id: number): Screen {
  return pageOf(ui, resource, id) ?? createSectionsScreen(ui, resource, id)
}

/** Kinds directly below the title, and kinds with a heading of their own. */
const atOnce: readonly SectionKind[] = ['problem', 'lead']
const ownHeads: readonly SectionKind[] = ['figures', 'latency', 'hosted']

function sectionLines(
  ui: Ui,
  resource: Resource,
  { section, part }: Drawn,
  row: AnyRow,
  columns: number,
): readonly Line[] {
  const lines = part.lines(row, columns)
  if (lines.length === 0 || atOnce.includes(section.kind) || ownHeads.includes(section.kind)) return lines
  const heading = headingOf(ui.workspace.translator, resource, section)
  return [[], ...(heading === null ? [] : [ruleLine([span(heading)], columns)]), ...lines]
}

function createSectionsScreen(ui: Ui, resource: Resource, id: number): Screen {
  const drawn = createParts(ui, resource, id)
  const parts = drawn.map(({ part }) => part)
  const needs = detailNeeds(resource)
  const { workspace } = ui
  const { records, translator, view, t, say } = workspace
  const isSingle = resource.wire.shape === 'one'
  const state = createState({ top: 0 })
  let height = 10
  let total = 0
  const row = (): AnyRow | undefined => records.peek(resource.name, id)
  const scroll = (by: number) => {
    state.top = Math.max(0, Math.min(total - height, state.top + by))
  }
  const commands: Readonly<Record<string, () => void>> = {
    ...stepCommands(scroll, () => height, 0),
    first: () => scroll(-total),
    last: () => scroll(total),
    rowActions: () => row() && ui.open(actionMenu(ui, resource, [row()!])),
    raw: () => row() && showRaw(ui, resource, [row()!]),
    copyMenu: () => row() && ui.open(copyMenu(ui, resource, [row()!])),
    reload() {
      workspace.retryNow()
      for (const part of parts) part.load?.()
      void ui.during(records.refresh([resource.name, ...needs.map(({ name }) => name)]))
    },
    ...Object.assign({}, ...parts.map((part) => part.commands)),
  }
  const links = () => parts.flatMap((part) => part.links?.() ?? [])
  const follow = ({ resource: of, id: linked, open }: LinkTo) => {
    if (open) open()
    else if (of.wire.shape === 'one') ui.places.goTo(of)
    else ui.places.openRecord(of.name, linked)
  }
  const followLink = () => {
    const [first, ...others] = links()
    if (!first) return
    if (others.length === 0) return follow(first)
    const items = [first, ...others].map((link) => ({
      label: plainText(link.title),
      detail: link.label,
      run: () => follow(link),
    }))
    ui.open(createMenu(ui, t('ui.actions.open'), items))
  }
  const gone = () => t('ui.tui.gone')
  const isLoaded = () => records.list$(resource.name).peek().loadedAt !== null
  const shownLines = ({ columns, rows }: Area): readonly Line[] => {
    const record = row()
    if (!record) return [[], line(`    ${isLoaded() ? gone() : t('ui.list.loading')}`, 'muted')]
    const absence = rowStatus(workspace.surface(), resource, record)?.absence
    const lines = [
      titleRule(ui, resource, record, columns),
      ...(absence ? [[], line(` ${absence}`, 'bad')] : []),
      ...drawn.flatMap((one) => sectionLines(ui, resource, one, record, columns)),
    ]
    height = rows
    total = lines.length
    const top = Math.max(0, Math.min(state.top, total - height))
    state.top = top
    return lines.slice(top, top + rows)
  }
  return {
    key: `${resource.name}:${id}`,
    layer: 'page',
    resource,
    commands,
    place: () => [
      say(textKey[isSingle ? 'one' : 'many'](resource.name)),
      row() ? plainText(titleOf(resource, row()!)) : `#${id}`,
    ],
    hints() {
      // Keys that open this page do nothing on it.
      const { Enter: _enter, i: _details, ...actions } = row() ? actionHints(ui, resource, [row()!]) : {}
      return {
        ...hintsIf(links().length > 0, { Enter: { text: nounOf(t('ui.actions.open'), translator.language) } }),
        ...Object.assign({}, ...parts.map((part) => part.hints?.())),
        ...actions,
        ...{ y: 'raw', Y: 'copy', '.': 'actions', '?': 'keys', Escape: 'back' },
      }
    },
    command({ action }) {
      const record = row()
      if (action && action.name !== 'open' && record) void perform(ui, action, action.on === 'none' ? [] : [record])
      else if (action?.name === 'open') followLink()
      else return false
      return true
    },
    comes: () => !row() || parts.some((part) => part.comes?.() ?? false),
    spoken() {
      const record = row()
      if (!record) return [gone()]
      const spokenOf = ({ spoken, lines }: SectionView) =>
        spoken === 'lines' ? lines(record, spokenCells).map(spokenLine) : (spoken?.(record) ?? [])
      return [...spokenRecord(ui, resource, record), ...parts.flatMap(spokenOf)]
    },
    enter() {
      if (!row()) void records.loadOne(resource.name, id).catch((thrown: unknown) => ui.fail(toAppError(thrown)))
      return endAll(
        watchWithNeeds(records, resource),
        watchAllowed(records, needs, { viewer: workspace.session.viewer(), supports: workspace.session.supports }),
        ...parts.flatMap((part) => part.watch?.() ?? []),
      )
    },
    chosen: () => [row()].filter((record) => record !== undefined),
    cliLine() {
      const { open } = resource.actions
      if (!row()) return null
      return open ? actionLine(open, [row()!], view) : listLine(resource)
    },
    View: () => <LiveRows lines={shownLines} />,
  }
}
