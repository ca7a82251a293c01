import { chordFor, keyTable } from '@qd/core/actions'
import { actionKey, type Resource } from '@qd/core/define'
import { errorText } from '@qd/core/i18n'
import { emptyTitle, type Table } from '@qd/core/view'
import { keyText } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { cutLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'

/** A live feed sends at least every 10 s (docs/reference/live-feed.md). */
const freshMs = 12_000

/** `live`, or the age; empty if obvious. */
function freshness({ records, live, translator, format }: Workspace, resource: Resource, now: number): string {
  const { feed, heardAt } = live.state$.peek()
  const { status, loadedAt } = records.list$(resource.name).peek()
  const isLive = resource.columns.some(({ live: figures }) => figures)
  if (loadedAt === null) return status === 'failed' ? '' : translator.t('ui.list.loading')
  if (isLive && feed.status === 'live' && heardAt !== null && now - heardAt < freshMs)
    return translator.t('ui.tui.list.live')
  const at = isLive ? (heardAt ?? loadedAt) : loadedAt
  if (status === 'loading' && now - at > freshMs) return translator.t('ui.list.loading')
  if (!isLive && now - at < 60_000) return ''
  return translator.t('ui.tui.list.old', { span: format.duration(Math.max(1, Math.round((now - at) / 1000))) })
}

export function emptyLines(
  ui: Ui,
  resource: Resource,
  { filter, table: { total, problem }, columns }: { filter: string; table: Table; columns: number },
): Line[] {
  const { translator, records, session } = ui.workspace
  const { status, error } = records.list$(resource.name).peek()
  const { t, say } = translator
  if (problem) return [[], line(`    ${t('ui.tui.list.wrongFilter')}`, 'muted')]
  if (total > 0 && filter !== '') return [[], line(`    ${t('ui.tui.list.hiddenAll', { count: total })}`, 'muted')]
  if (status === 'failed' && error) {
    const { title, details, hint } = errorText(translator, error)
    return [
      [],
      [span('    '), span(title, 'bad')],
      ...[...details, ...(hint ? [hint] : [])].map((text) => line(`    ${text}`, 'muted')),
    ]
  }
  if (status !== 'ready') return [[], line(`    ${t('ui.list.loading')}`, 'muted')]
  const create = resource.actions.create
  const chord =
    create && chordFor(keyTable(resource, 'tui', { viewer: session.viewer() }), `action:${resource.name}.create`)
  const own = `ui.empty.${resource.name}`
  const title = emptyTitle(translator, resource)
  const key = [`ui.tui.empty.${resource.name}`, `${own}.text`].find((one) => translator.has(one))
  const text = key === undefined ? [] : wrapText(say(key, { url: ui.workspace.settings.url }), columns - 8)
  const hint =
    create && chord
      ? [[], [span('    '), span(keyText(ui, chord), 'key'), span(` ${say(actionKey(create))}`, 'muted')]]
      : []
  return [[], line(`    ${title}`, 'bold'), ...text.map((one) => line(`    ${one}`, 'muted')), ...hint]
}

function failure({ records, translator }: Workspace, resource: Resource): string {
  const { status, error, loadedAt } = records.list$(resource.name).peek()
  return status === 'failed' && error && loadedAt !== null ? errorText(translator, error).title : ''
}

export function marksAndFreshness(
  ui: Ui,
  resource: Resource,
  { marked, hiddenMarks }: Pick<Table, 'marked' | 'hiddenMarks'>,
  columns: number,
): Line {
  const { t } = ui.workspace.translator
  const hidden =
    hiddenMarks === 0 ? '' : t(columns >= 110 ? 'ui.tui.list.hiddenLong' : 'ui.tui.list.hidden', { count: hiddenMarks })
  const marks = marked === 0 ? '' : [t('ui.tui.list.marked', { count: marked }), hidden].filter(Boolean).join(', ')
  const fresh = freshness(ui.workspace, resource, ui.io.now())
  const failed = failure(ui.workspace, resource)
  const said = line([marks, fresh].filter(Boolean).join('  '), 'muted')
  // The filter has the other half.
  const why = failed === '' ? [] : cutLine([span(`${failed}  `, 'bad')], Math.ceil(columns / 2))
  return [...why, ...said, span(' ')]
}
