import { actionLine } from '@qd/core/actions'
import { type AnyRow, textKey } from '@qd/core/define'
import { measured, plainText } from '@qd/core/fields'
import { capital } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import { type HistoryAnswer, type Host, historyAnswer } from '@qd/core/schemas'
import { watchWithNeeds } from '@qd/core/store'
import { type ChartMetric, chartsFor, maxLines, rowStatus, scaledPoints } from '@qd/core/view'
import { axisLine, type ChartPoint, chartStats, historyPoint } from '../../screen/fields/chart.ts'
import { createLoaded, endAll } from '../../screen/state/loaded.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Area, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Line } from '../../screen/terminal/line.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { actionMenu, copyMenu } from '../perform/list-menus.ts'
import { perform } from '../perform/perform.ts'
import { actionHints } from '../views/action-hints.ts'
import { stepCommands } from '../views/steps.ts'
import { chartText, createRanges, historyRanges, pointsRequested, type Range, rangeSpans } from './chart-section.ts'
import { type Compared, comparisonRows } from './compare-lines.ts'

interface HistoryReply {
  readonly key: string
  readonly answer: HistoryAnswer
}

export function createCompareScreen(ui: Ui, ids: readonly number[]): Screen {
  const { workspace } = ui
  const { translator, records, format, view, t, say } = workspace
  const names = new Map(ids.map((id) => [id, view.title('server', id) ?? `#${id}`]))
  const nameOf = (id: number) => plainText(view.title('server', id) ?? names.get(id)!)
  const leadsHere = server.actions.compare
  const state = createState({ chosen: 0, focus: 0 })
  const metrics = chartsFor(workspace.session.supports).flatMap((chart) => chart.metrics)
  let firstServer: number | null = null
  const ranges = createRanges<Range>(historyRanges, () => history.load())
  const first = () => state.focus - (state.focus % maxLines)
  const shownIds = () => ids.slice(first(), first() + maxLines)
  const metric = () => metrics[state.chosen]!
  const labelOf = ({ label }: ChartMetric) => capital(say(label), translator.language)
  const key = () => [metric().metric, ranges.now.hours, first()].join()
  const history = createLoaded<HistoryReply>(ui, async () => {
    const to = view.now
    const from = to - ranges.now.hours * 3_600_000
    const query = { servers: shownIds().join(','), metric: metric().metric, from, to, points: pointsRequested }
    const mine = key()
    return {
      key: mine,
      answer: historyAnswer().parse(await workspace.client.send({ method: 'GET', path: 'history', query })),
    }
  })
  const known = () => (history.value?.key === key() ? history.value.answer : null)
  const row = (id: number): AnyRow | undefined => records.peek('server', id)
  const focused = () => row(ids[state.focus]!)
  const text = (value: number) => measured(metric().metric, value, { translator, format })
  const pointsOf = (id: number): readonly ChartPoint[] => {
    const found = known()?.series.find((series) => series.server_id === id)?.points ?? []
    return scaledPoints(found, metric().metric, (row(id)?.host ?? {}) as Host).map(historyPoint)
  }
  const compared = (id: number): Compared => {
    const points = pointsOf(id)
    const stats = chartStats(points)
    const record = row(id)
    const status = record ? rowStatus(workspace.surface(), server, record) : null
    const gone = record ? null : ({ text: t('ui.tui.chart.gone'), role: 'bad' } as const)
    return {
      name: nameOf(id),
      points,
      last: stats && text(stats.last),
      stats: stats
        ? t('ui.tui.chart.stats', { mean: text(stats.mean), peak: text(stats.peak) })
        : known() && t('ui.tui.chart.none'),
      state: gone ?? (status?.absence ? { text: status.word, role: status.tone } : null),
    }
  }
  const goTo = (next: number) => {
    const before = first()
    state.focus = Math.max(0, Math.min(ids.length - 1, next))
    if (first() !== before) history.load()
  }
  const choose = (by: number) => {
    state.chosen = (state.chosen + by + metrics.length) % metrics.length
    history.load()
  }
  const commands: Readonly<Record<string, () => void>> = {
    ...stepCommands(
      (by) => goTo(state.focus + by),
      () => maxLines,
    ),
    first: () => goTo(0),
    last: () => goTo(ids.length - 1),
    pageDown: () => goTo(Math.min(ids.length - 1, first() + maxLines)),
    pageUp: () => goTo(first() - maxLines),
    nextMetric: () => choose(1),
    previousMetric: () => choose(-1),
    ...ranges.commands,
    rowActions: () => focused() && ui.open(actionMenu(ui, server, [focused()!])),
    copyMenu: () => focused() && ui.open(copyMenu(ui, server, [focused()!])),
    reload() {
      workspace.retryNow()
      history.load()
    },
  }
  const none = (servers: readonly Compared[]): string | null => {
    if (servers.some(({ points }) => points.length > 0)) return null
    return known() ? t('ui.tui.chart.none') : history.absence
  }
  const shownLines = (area: Area): readonly Line[] => {
    const servers = shownIds().map(compared)
    const to = ui.io.now()
    const from = to - ranges.now.hours * 3_600_000
    const greatest = Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, value]) => value)))
    const top = metric().top ?? greatest
    const at = (time: number) => format.instant(time, to)
    const drawn = comparisonRows(
      {
        title: labelOf(metric()),
        ranges: rangeSpans(ui, ranges.all, ranges.now),
        metrics: metrics.map((one) => ({ text: labelOf(one), isShown: one === metric() })),
        servers,
        focus: state.focus - first(),
        part:
          ids.length > maxLines
            ? t('ui.tui.chart.part', { first: first() + 1, last: first() + servers.length, count: ids.length })
            : '',
        none: none(servers),
        ...{ from, to, top, scale: [text(top), text(top / 2), text(0)] as const },
        axis: (cells) => axisLine({ from: at(from), middle: at((from + to) / 2), to: at(to) }, cells),
      },
      area,
    )
    firstServer = drawn.firstServer
    return drawn.lines
  }
  return {
    key: `compare:${ids.join()}`,
    layer: 'page',
    resource: server,
    ledHere: leadsHere,
    commands,
    place: () => [say(textKey.many('server')), t('ui.tui.chart.compared', { count: ids.length })],
    hints() {
      const { [leadsHere.key.tui!]: _here, ...actions } = focused() ? actionHints(ui, server, [focused()!]) : {}
      return { v: 'metric', ']': 'range', ...actions, '.': 'actions', '?': 'keys', Escape: 'back' }
    },
    command({ action }) {
      const record = focused()
      if (action && (record || action.on === 'none')) {
        if (action !== leadsHere) void perform(ui, action, action.on === 'none' ? [] : [record!])
      } else return false
      return true
    },
    click(at) {
      const next = firstServer === null ? -1 : at - firstServer
      if (next < 0 || next >= shownIds().length) return false
      goTo(first() + next)
      return true
    },
    comes: () => history.isComing,
    spoken: () => {
      const all = shownIds().map((id) => ({ name: nameOf(id), points: pointsOf(id), top: null, text }))
      const now = all[state.focus - first()]!
      return [
        t('ui.tui.spoken.row', {
          index: state.focus + 1,
          count: ids.length,
          text: `${labelOf(metric())}, ${chartText(ui, now)}`,
        }),
      ]
    },
    enter: () => endAll(watchWithNeeds(records, server), history.watch()),
    chosen: () => [focused()].filter((record) => record !== undefined),
    cliLine: () => {
      const rows = ids.map((id) => row(id) ?? { id })
      return `${actionLine(leadsHere, rows, view)} --metric ${metric().metric} --range ${ranges.now.hours}h`
    },
    View: () => <LiveRows lines={shownLines} />,
  }
}
