import { actionLine } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import { type AnyRow, type Resource, type ResourceName, textKey, titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { watchWithNeeds } from '@qd/core/store'
import { perform } from '../app/perform.ts'
import type { Hint, Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { type Line, line } from '../terminal/line.ts'
import { actionHints } from '../views/action-hints.ts'
import { actionMenu, copyMenu } from '../views/list-menus.ts'
import { spokenRecord } from '../views/spoken.ts'

/** What the screen of one record shows besides its keys. */
export interface RecordParts {
  readonly resource: Resource
  readonly id: number
  /** Lists that its parts look at, besides those its own values name. */
  readonly also: readonly ResourceName[]
  /** All lines below the header; the screen scrolls them. */
  lines(row: AnyRow, columns: number): readonly Line[]
  /** Words of what is not a value of the record, for a screen reader. */
  spoken?(): readonly string[]
  /** Keys of its own, before those of the record. */
  readonly commands?: Readonly<Record<string, () => void>>
  hints?(): readonly Hint[]
  /** What it asks the server for itself; called when it comes on screen. */
  enter?(): Cancel
  reload?(): void
}

/** The screen of one record: what it is, in lines that scroll, with the keys of its actions. */
export function createRecordScreen(ui: Ui, parts: RecordParts): Screen {
  const { resource, id, also } = parts
  const { desk } = ui
  const { records, translator, view } = desk
  const { t, say } = translator
  let top = 0
  let height = 10
  let total = 0
  const row = (): AnyRow | undefined => records.peek(resource.name, id)
  const scroll = (by: number) => {
    top = Math.max(0, Math.min(total - height, top + by))
  }
  const commands: Readonly<Record<string, () => void>> = {
    next: () => scroll(1),
    previous: () => scroll(-1),
    pageDown: () => scroll(height),
    pageUp: () => scroll(-height),
    first: () => scroll(-total),
    last: () => scroll(total),
    rowActions: () => row() && ui.open(actionMenu(ui, resource, [row()!])),
    copyMenu: () => row() && ui.open(copyMenu(ui, resource, [row()!])),
    reload() {
      desk.retryNow()
      parts.reload?.()
      void ui.during(records.refresh([resource.name, ...also]))
    },
    ...parts.commands,
  }
  const gone = () => t('ui.tui.gone')
  const isThere = (name: ResourceName) => {
    const capability = resourceByName(name)?.requires ?? null
    return capability === null || desk.session.supports(capability)
  }
  const isLoaded = () => records.list$(resource.name).peek().loadedAt !== null
  return {
    key: `${resource.name}:${id}`,
    layer: 'page',
    resource,
    place: () => [say(textKey.many(resource.name)), row() ? plainText(titleOf(resource, row()!)) : `#${id}`],
    count: () => '',
    summary: () => [],
    isTyping: () => false,
    hints: () => [
      ...(parts.hints?.() ?? []),
      ...(row() ? actionHints(ui, resource, [row()!]).filter(({ chord }) => chord !== 'Enter') : []),
      { chord: 'y', label: t('ui.tui.hints.copy') },
      { chord: '.', label: t('ui.tui.hints.actions') },
      { chord: '?', label: t('ui.tui.hints.keys') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command, action }) {
      const record = row()
      if (commands[command]) commands[command]()
      else if (action && action.name !== 'open' && record)
        void perform(ui, action, action.on === 'none' ? [] : [record])
      else return action?.name === 'open'
      ui.changed()
      return true
    },
    input: () => undefined,
    escape: () => false,
    spoken: () => (row() ? [...spokenRecord(ui, resource, row()!), ...(parts.spoken?.() ?? [])] : [gone()]),
    enter() {
      const stops = [
        watchWithNeeds(records, resource),
        ...also.filter(isThere).map((name) => records.watch(name)),
        ...(parts.enter ? [parts.enter()] : []),
      ]
      // A list that the server pages need not hold this record.
      if (!row()) void records.loadOne(resource.name, id).catch((thrown: unknown) => ui.fail(toAppError(thrown)))
      return () => {
        for (const stop of stops) stop()
      }
    },
    chosen: () => [row()].filter((record) => record !== undefined),
    cliLine: () => (row() ? actionLine(resource.actions.open!, [row()!], view) : null),
    draw({ columns, rows }) {
      const record = row()
      if (!record) return [[], line(`    ${isLoaded() ? gone() : t('ui.list.loading')}`, 'muted')]
      const lines = parts.lines(record, columns)
      height = rows
      total = lines.length
      top = Math.max(0, Math.min(top, total - height))
      return lines.slice(top, top + rows)
    },
  }
}
