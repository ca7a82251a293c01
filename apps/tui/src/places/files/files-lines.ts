import { type FileEntry, isFolder, isTypedPath, partText, shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import {
  blank,
  cutLine,
  filledTo,
  fitLine,
  type Line,
  line,
  span,
  spread,
  withRoles,
} from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import type { FilesState, ShownPreview } from './files-state.ts'
import { transferLines } from './transfer-lines.ts'

const sizeCells = 10
const timeCells = 12
/** Below this width only names are shown. */
const wide = 72

export interface Typing {
  readonly what: 'filter' | 'find'
  readonly input: TextInput
}

export const filesHead = 1

/** A folder above its transfers, or a preview. `topIn`: the first entry in sight if there are so many rows. */
export function filesLines(
  ui: Ui,
  state: FilesState,
  typing: Typing | null,
  { columns, rows }: Area,
  topIn: (rows: number) => number,
): readonly Line[] {
  const transfers = transferLines(ui, state.controller.queue, columns)
  const room = Math.max(1, rows - filesHead - transfers.length)
  const top = topIn(room)
  const { preview } = state
  const shown = preview
    ? previewLines(ui, preview, { columns, rows: room })
    : folderLines(ui, state, top, { columns, rows: room })
  return [firstLine(ui, state, typing, columns), ...filledTo(room, shown), ...transfers]
}

function firstLine(ui: Ui, { controller, preview }: FilesState, typing: Typing | null, columns: number): Line {
  const { t } = ui.workspace
  const { status, error, refused, path, filter, marks, isFound } = controller.browser.state()
  if (preview) return previewHead(ui, preview, columns)
  if (typing) {
    const find = typing.what === 'find' && !isFound && status !== 'opening' ? typing.input.text : null
    const label =
      find === null
        ? span(`${t(typing.what === 'find' ? 'ui.files.jump' : 'ui.files.filter')} `, 'muted')
        : isTypedPath(find, path)
          ? span(`${t('ui.files.goTyped', { path: shownName(find) })} `, 'muted')
          : span(`${t('ui.files.none', { filter: find })} `, 'warn')
    const sign = typing.what === 'find' ? '› ' : '/'
    return spread([span(' '), span(sign, 'accent'), ...typing.input.draw(columns - 40)], [label], columns)
  }
  if (status === 'failed' && error) {
    const { title, details } = errorText(ui.workspace.translator, error)
    return cutLine([span(` ${t('ui.files.fmError')}: `, 'bad'), span([title, ...details].join(' · '), 'bad')], columns)
  }
  if (refused !== null)
    return cutLine(
      line(` ${t('ui.files.refused', { path: shownName(refused), shown: shownName(path) })}`, 'warn'),
      columns,
    )
  const left: Line = filter === '' ? [] : [span(' '), span('/', 'muted'), span(shownName(filter))]
  const right: Line = marks.size === 0 ? [] : [span(`${t('ui.tui.list.marked', { count: marks.size })} `, 'muted')]
  return spread(left, right, columns)
}

function previewHead(ui: Ui, { entry, loaded, isFollowing }: ShownPreview, columns: number): Line {
  const { format, t } = ui.workspace
  const preview = loaded?.preview
  const picture = preview?.kind === 'picture' && `${preview.type}, ${format.bytes(preview.bytes.length)}`
  const part = picture || (loaded && partText(loaded, ui.workspace))
  const right = [isFollowing && t('ui.files.look.following'), part].filter(Boolean).join('  ')
  return spread([span(` ${shownName(entry.name)}`, 'bold')], [span(`${right} `, 'muted')], columns)
}

function previewLines({ workspace }: Ui, { loaded, scroll }: ShownPreview, { columns, rows }: Area): Line[] {
  const { t } = workspace
  const kind = loaded?.preview.kind
  if (kind === undefined) return [line(` ${t('ui.list.loading')}`, 'muted')]
  if (kind !== 'text') return [line(` ${t(`ui.files.look.${kind}`)}`, 'muted')]
  scroll.resize(columns - 2, rows)
  return scroll.rows().map(({ text }) => line(` ${text}`))
}

function folderLines(ui: Ui, { controller }: FilesState, top: number, { columns, rows }: Area): Line[] {
  const { t } = ui.workspace
  const { shown, cursor, marks, status, filter, path } = controller.browser.state()
  if (status === 'opening') return [line(` ${t('ui.list.loading')}`, 'muted')]
  // The first line says why there is no folder.
  if (path === '') return []
  if (shown.length === 0)
    return [line(` ${filter === '' ? t('ui.files.empty') : t('ui.files.none', { filter })}`, 'muted')]
  return shown.slice(top, top + rows).map((entry, place) => {
    const isFocused = top + place === cursor
    const drawn = entryLine(ui, entry, { columns, isFocused, isMarked: marks.has(entry.name) })
    return isFocused ? withRoles(drawn, 'focus') : drawn
  })
}

function entryLine(
  { workspace: { format }, io }: Ui,
  entry: FileEntry,
  { columns, isFocused, isMarked }: { columns: number; isFocused: boolean; isMarked: boolean },
): Line {
  const folder = isFolder(entry)
  const role: readonly Role[] = folder ? ['accent'] : []
  const size = folder || entry.size === undefined ? '' : format.bytes(entry.size)
  const figures: Line =
    columns < wide || entry.modified === undefined
      ? []
      : [
          ...fitLine([span(size, 'muted')], sizeCells, 'right'),
          blank(2),
          ...fitLine([span(format.instant(entry.modified, io.now()), 'muted')], timeCells),
        ]
  return spread(
    [
      span(isFocused ? ' ▌' : '  ', 'accent'),
      span(isMarked ? '✓ ' : '  ', 'accent'),
      span(`${shownName(entry.name)}${folder ? '/' : ''}`, ...role, ...(isFocused ? (['bold'] as const) : [])),
      span(entry.target ? ` → ${shownName(entry.target)}` : '', 'muted'),
    ],
    figures,
    columns,
  )
}
