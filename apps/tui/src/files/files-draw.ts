import { type FileEntry, isFolder, shownName, type Transfer, textLookBytes } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import type { Area } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'
import type { TextInput } from '../terminal/text-input.ts'
import type { Role } from '../terminal/theme.ts'
import type { FilesState, ShownLook } from './files-state.ts'

/** What is being typed in the second line: a filter of the folder, or the beginning of a name. */
export interface Typing {
  readonly what: 'filter' | 'find'
  readonly input: TextInput
}

/** Lines above the first row. */
export const filesHead = 1
const sizeCells = 10
const timeCells = 12
/** Below this sizes and times give way to the name. */
const wide = 72

/** A folder with its transfers below, or the file that is looked at. `top` is the first row in sight. */
export function drawFiles(
  ui: Ui,
  state: FilesState,
  { typing, area, top }: { typing: Typing | null; area: Area; top: number },
): Line[] {
  const below = transferLines(ui, state, area)
  const room = filesRoom(area, below.length)
  const { columns } = area
  const body = state.look
    ? lookLines(ui, state.look, { columns, rows: room })
    : folderLines(ui, state, { columns, room, top })
  const filled = [...body, ...Array.from({ length: Math.max(0, room - body.length) }, (): Line => [])]
  return [secondLine(ui, state, typing, columns), ...filled.slice(0, room), ...below]
}

/** Rows for the folder above so many lines of transfers. */
export function filesRoom({ rows }: Area, below: number): number {
  return Math.max(1, rows - filesHead - below)
}

function secondLine(ui: Ui, { desk, look }: FilesState, typing: Typing | null, columns: number): Line {
  const { t } = ui.workspace.translator
  const { status, error, refused, path, filter, marks } = desk.browser.state()
  if (look) return lookHead(ui, look, columns)
  if (typing) {
    const label = t(typing.what === 'find' ? 'ui.files.jump' : 'ui.files.filter')
    const sign = typing.what === 'find' ? '› ' : '/'
    return spread(
      [span(' '), span(sign, 'accent'), ...typing.input.draw(columns - 40)],
      [span(`${label} `, 'muted')],
      columns,
    )
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

function folderLines(
  ui: Ui,
  { desk }: FilesState,
  { columns, room, top }: { columns: number; room: number; top: number },
): Line[] {
  const { t } = ui.workspace.translator
  const { shown, cursor, marks, status, filter } = desk.browser.state()
  if (status === 'opening') return [line(` ${t('ui.list.loading')}`, 'muted')]
  if (shown.length === 0)
    return [line(` ${filter === '' ? t('ui.files.empty') : t('ui.files.none', { filter })}`, 'muted')]
  return shown.slice(top, top + room).map((entry, offset) => {
    const isFocused = top + offset === cursor
    const drawn = entryLine(ui, entry, { columns, isFocused, isMarked: marks.has(entry.name) })
    return isFocused ? withRoles(drawn, 'focus') : drawn
  })
}

function entryLine(
  ui: Ui,
  entry: FileEntry,
  { columns, isFocused, isMarked }: { columns: number; isFocused: boolean; isMarked: boolean },
): Line {
  const { format } = ui.workspace
  const folder = isFolder(entry)
  const name = `${shownName(entry.name)}${folder ? '/' : ''}`
  const target = entry.target ? ` → ${shownName(entry.target)}` : ''
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
          ...fitLine([span(format.instant(entry.modified, ui.io.now()), 'muted')], timeCells),
        ]
  return spread(
    [
      span(isFocused ? ' ▌' : '  ', 'accent'),
      span(isMarked ? '✓ ' : '  ', 'accent'),
      span(name, ...role, ...(isFocused ? (['bold'] as const) : [])),
      span(target, 'muted'),
    ],
    figures,
    columns,
  )
}

function lookHead(ui: Ui, { entry, looked, isFollowing }: ShownLook, columns: number): Line {
  const { translator, format } = ui.workspace
  const { t } = translator
  const look = looked?.look
  const size = looked?.size
  const part =
    look?.kind === 'text' && !look.isWhole
      ? t('ui.files.look.end', { size: format.bytes(textLookBytes) })
      : look?.kind === 'text' && size != null
        ? t('ui.files.look.whole', { size: format.bytes(size) })
        : look?.kind === 'picture'
          ? `${look.type}, ${format.bytes(look.bytes.length)}`
          : ''
  const right = [isFollowing && t('ui.files.look.following'), part].filter(Boolean).join('  ')
  return spread([span(` ${shownName(entry.name)}`, 'bold')], [span(`${right} `, 'muted')], columns)
}

function lookLines(ui: Ui, { looked, scroll }: ShownLook, { columns, rows }: Area): Line[] {
  const { t } = ui.workspace.translator
  const kind = looked?.look.kind
  if (kind === undefined) return [line(` ${t('ui.list.loading')}`, 'muted')]
  if (kind === 'binary' || kind === 'empty') return [line(` ${t(`ui.files.look.${kind}`)}`, 'muted')]
  scroll.resize(columns - 2, rows)
  return scroll.rows().map(({ text }) => line(` ${text}`))
}

/** Ended transfers that are shown beside the running one. */
const endedShown = 4

/** The transfers: the running one with its figures, the last of the others, and why one failed. */
export function transferLines(ui: Ui, { desk: { queue } }: FilesState, { columns }: Pick<Area, 'columns'>): Line[] {
  const transfers = queue.list()
  if (transfers.length === 0) return []
  const { translator, format } = ui.workspace
  const { t } = translator
  const now = ui.io.now()
  const running = transfers.find(({ state }) => state === 'running')
  const title = running ? (running.direction === 'upload' ? 'uploading' : 'downloading') : 'ended'
  const total = queue.total(now)
  const all = total.count > 1 ? t('ui.files.transfer.total', { ended: total.ended, count: total.count }) : ''
  const runningLine = (transfer: Transfer): Line => {
    const { rate, leftMs, stalled } = queue.pace(transfer.id, now)
    const { size, moved } = transfer
    const figures = [
      size === null
        ? format.bytes(moved)
        : t('ui.files.transfer.moved', { moved: format.bytes(moved), size: format.bytes(size) }),
      stalled
        ? t('ui.files.transfer.stalled')
        : rate === null
          ? ''
          : leftMs === null
            ? format.rate(rate)
            : t('ui.files.transfer.left', { rate: format.rate(rate), span: format.duration(Math.ceil(leftMs / 1000)) }),
    ]
    const share = size ? `${format.percent(Math.min(100, Math.floor((moved / size) * 100)))}  ` : ''
    return spread(
      [span(transfer.direction === 'upload' ? ' ↑ ' : ' ↓ ', 'accent'), span(shownName(transfer.name), 'bold')],
      [span(`  ${share}${figures.filter(Boolean).join('  ')} `, stalled ? 'bad' : 'muted')],
      columns,
    )
  }
  const otherLine = ({ state, name, size, error, told }: Transfer): Line => {
    const why = error
      ? [errorText(translator, error)].flatMap(({ title: said, details }) => [said, ...details]).join(' · ')
      : ''
    const figure =
      state === 'done' && size !== null
        ? format.bytes(size)
        : state === 'running'
          ? ''
          : t(`ui.files.transfer.${state}`)
    const sum = told !== null && told !== 'grew' ? `  SHA-256 ${told}` : ''
    const sign = { done: '✓', failed: '✗', cancelled: '-', waiting: '·', running: '·' }[state]
    return cutLine(
      [
        span(` ${sign} `, state === 'failed' ? 'bad' : state === 'done' ? 'ok' : 'muted'),
        span(shownName(name)),
        span(`  ${figure}${sum}`, 'muted'),
        span(why === '' ? '' : `  ${why}`, 'bad'),
      ],
      columns,
    )
  }
  const others = transfers.filter((one) => one !== running).slice(-endedShown)
  return [
    ruleLine([span(t(`ui.files.transfer.${title}`), 'bold')], columns, all === '' ? [] : [span(all, 'muted')]),
    ...(running ? [runningLine(running)] : []),
    ...others.map(otherLine),
  ]
}
