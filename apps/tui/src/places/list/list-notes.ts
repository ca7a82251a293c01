import { chordFor, keyTable } from '@qd/core/actions'
import { actionKey, type Resource, type Tone } from '@qd/core/define'
import { errorText, type Format, type Translator } from '@qd/core/i18n'
import { emptyTitle, type Facet, facetText, type Table } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import { keyText } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { blank, cutLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'

/** `● 38 online  ▲ 2 of them warning`; without words if narrow: `● 38 (▲ 2)`, omitting empty states. */
export function facetSummary(
  facets: readonly Facet[],
  { translator, format }: { translator: Translator; format: Format },
  size: 'short' | 'normal' | 'long',
): Line {
  // Colorless states have no shape, so they need words.
  const worded = size === 'long' || facets.every(({ tone }) => tone === 'plain')
  if (worded && size === 'short') return []
  const shown =
    size === 'long'
      ? facets
      : facets.filter(({ count, tone }) => tone === 'ok' || (count > 0 && (worded || tone !== 'plain')))
  return shown.flatMap((facet, index) => {
    const { option, tone, count, partOf } = facet
    // Already counted, so not a summand.
    const isInside = partOf !== null && !worded
    const number = format.number(count)
    const [before = '', after = ''] = worded ? facetText(facet, translator, '\0').split('\0') : []
    return [
      ...(index === 0 ? [] : [blank(size === 'short' || isInside ? 1 : 2)]),
      ...(isInside ? [span('(', 'muted')] : []),
      ...(tone === 'plain' ? [] : [stateSpan(option, tone), blank(size === 'short' ? 0 : 1)]),
      ...(before === '' ? [] : [span(before, 'muted')]),
      span(number),
      ...(after === '' ? [] : [span(after, 'muted')]),
      ...(isInside ? [span(')', 'muted')] : []),
    ]
  })
}

export function countText(ui: Ui, { matched, total }: Pick<Table, 'matched' | 'total'>, short: boolean): string {
  const { format, translator } = ui.workspace
  if (matched === total) return format.number(total)
  if (short) return `${format.number(matched)}/${format.number(total)}`
  return translator.t('ui.tui.list.ofTotal', { shown: matched, total })
}

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

/** What stands in the place of rows. */
export const instead = (title: string, texts: readonly string[], tone: Tone = 'muted'): Line[] => [
  [],
  line(`    ${title}`, 'bold'),
  ...texts.map((text) => line(`    ${text}`, tone)),
]

export function emptyLines(
  ui: Ui,
  resource: Resource,
  { filter, table: { total, problem }, columns }: { filter: string; table: Table; columns: number },
): Line[] {
  const { translator, records, session, t, say } = ui.workspace
  const { status, error } = records.list$(resource.name).peek()
  const only = (text: string): Line[] => [[], line(`    ${text}`, 'muted')]
  if (problem) return only(t('ui.tui.list.wrongFilter'))
  if (total > 0 && filter !== '') return only(t('ui.tui.list.hiddenAll', { count: total }))
  if (status === 'failed' && error) {
    const { title, details, hint } = errorText(translator, error)
    const more = [...details, ...(hint ? [hint] : [])]
    return [[], [span('    '), span(title, 'bad')], ...more.map((text) => line(`    ${text}`, 'muted'))]
  }
  if (status !== 'ready') return only(t('ui.list.loading'))
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
  return [...instead(title, text), ...hint]
}

export function marksAndFreshness(
  ui: Ui,
  resource: Resource,
  { marked, hiddenMarks }: Pick<Table, 'marked' | 'hiddenMarks'>,
  columns: number,
): Line {
  const { t } = ui.workspace
  const hidden =
    hiddenMarks === 0 ? '' : t(columns >= 110 ? 'ui.tui.list.hiddenLong' : 'ui.tui.list.hidden', { count: hiddenMarks })
  const marks = marked === 0 ? '' : [t('ui.tui.list.marked', { count: marked }), hidden].filter(Boolean).join(', ')
  const fresh = freshness(ui.workspace, resource, ui.io.now())
  const { status, error, loadedAt } = ui.workspace.records.list$(resource.name).peek()
  const isKept = status === 'failed' && error && loadedAt !== null
  const said = line([marks, fresh].filter(Boolean).join('  '), 'muted')
  // The filter has the other half.
  const failed = isKept ? [span(`${errorText(ui.workspace.translator, error).title}  `, 'bad')] : []
  const why = cutLine(failed, Math.ceil(columns / 2))
  return [...why, ...said, span(' ')]
}
