import { type BrowserState, type FileEntry, isFolder, isTypedPath, partText, shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { Box } from 'ink'
import { memo } from 'react'
import { useArea, useLive, useTexts, useUi, useValue } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, span, spread, withRoles } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import type { FilesState, ShownPreview } from './files-state.ts'
import { Transfers } from './Transfers.tsx'

interface FileRowProps {
  readonly entry: FileEntry
  readonly columns: number
  readonly isFocused: boolean
  readonly isMarked: boolean
}

const sizeCells = 10
const timeCells = 12
/** Below this width only names are shown. */
const wide = 72

const FileRow = memo(({ entry, columns, isFocused, isMarked }: FileRowProps) => {
  const { format } = useTexts()
  const { now } = useUi().io
  const folder = isFolder(entry)
  const role: readonly Role[] = folder ? ['accent'] : []
  const figures: Line =
    columns < wide || entry.modified === undefined
      ? []
      : [
          ...fitLine(
            [span(folder || entry.size === undefined ? '' : format.bytes(entry.size), 'muted')],
            sizeCells,
            'right',
          ),
          blank(2),
          ...fitLine([span(format.instant(entry.modified, now()), 'muted')], timeCells),
        ]
  const line = spread(
    [
      span(isFocused ? ' ▌' : '  ', 'accent'),
      span(isMarked ? '✓ ' : '  ', 'accent'),
      span(`${shownName(entry.name)}${folder ? '/' : ''}`, ...role, ...(isFocused ? (['bold'] as const) : [])),
      span(entry.target ? ` → ${shownName(entry.target)}` : '', 'muted'),
    ],
    figures,
    columns,
  )
  return <Row line={isFocused ? withRoles(line, 'focus') : line} />
})

export interface Typing {
  readonly what: 'filter' | 'find'
  readonly input: TextInput
}

export const filesHead = 1

export interface FilesShown {
  readonly typing: Typing | null
  readonly room: number
  readonly top: number
}

/** A folder above its transfers, or a preview. `show` updates the state for an area. */
export function FilesView({ state, show }: { state: FilesState; show(area: Area): FilesShown }) {
  const ui = useUi()
  const area = useArea()
  const { room, top, first, preview, folder } = useLive(() => {
    const { typing, ...shown } = show(area)
    const first = firstLine(ui, state, typing, area.columns)
    return { ...shown, first, preview: state.preview, folder: state.controller.browser.state() }
  })
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      <Row line={first} />
      <Box flexDirection="column" height={room} flexShrink={0}>
        {preview ? (
          <PreviewText preview={preview} columns={area.columns} rows={room} />
        ) : (
          <Folder folder={folder} columns={area.columns} rows={room} top={top} />
        )}
      </Box>
      <Transfers queue={state.controller.queue} />
    </Box>
  )
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

function PreviewText({ preview: { loaded, scroll }, columns, rows }: Area & { preview: ShownPreview }) {
  const { t } = useTexts()
  const kind = loaded?.preview.kind
  if (kind === undefined) return <Row line={line(` ${t('ui.list.loading')}`, 'muted')} />
  if (kind !== 'text') return <Row line={line(` ${t(`ui.files.look.${kind}`)}`, 'muted')} />
  return <PreviewRows scroll={scroll} columns={columns} rows={rows} />
}

function PreviewRows({ scroll, columns, rows }: Area & Pick<ShownPreview, 'scroll'>) {
  const shown = useValue(() => {
    scroll.resize(columns - 2, rows)
    return scroll.rows()
  })
  return <Rows lines={shown.map(({ text }) => line(` ${text}`))} />
}

function Folder({ folder, columns, rows, top }: Area & { folder: BrowserState<FileEntry>; top: number }) {
  const { t } = useTexts()
  const { shown, cursor, marks, status, filter, path } = folder
  if (status === 'opening') return <Row line={line(` ${t('ui.list.loading')}`, 'muted')} />
  // The first line says why there is no folder.
  if (path === '') return null
  if (shown.length === 0)
    return <Row line={line(` ${filter === '' ? t('ui.files.empty') : t('ui.files.none', { filter })}`, 'muted')} />
  return shown
    .slice(top, top + rows)
    .map((entry, place) => (
      <FileRow
        key={place}
        entry={entry}
        columns={columns}
        isFocused={top + place === cursor}
        isMarked={marks.has(entry.name)}
      />
    ))
}
