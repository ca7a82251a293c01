import type { AnyRow } from '@qd/core/define'
import { measured, metricName } from '@qd/core/fields'
import { capital } from '@qd/core/i18n'
import { incident } from '@qd/core/resources'
import { type Host, serverEvents } from '@qd/core/schemas'
import { type Annotation, annotationsOf, chartsFor, metricBatches, scaledPoints } from '@qd/core/view'
import { historyPoint } from '../../screen/fields/chart.ts'
import { hintsIf } from '../../screen/state/screen.ts'
import { ruleLine, span } from '../../screen/terminal/line.ts'
import { figureLines } from '../views/detail-pane.ts'
import {
  type Chart,
  chartSection,
  chartText,
  createRanged,
  historyRanges,
  type Range,
  readHistory,
} from './chart-section.ts'
import type { SectionMaker } from './section-view.ts'

const maxRuns = 200
const maxIncidents = 100

export const createFigures: SectionMaker<'figures'> = (ui, { resource, id }) => {
  const { workspace } = ui
  const { translator, view, format, t } = workspace
  /** What runs on the host is shown if history has it. */
  const chosen = () =>
    chartsFor(workspace.session.supports).filter(({ isMain, requires }) => isMain || requires !== undefined)
  const readAnnotations = async ({ hours }: Range): Promise<readonly Annotation[]> => {
    const { client, records, session } = workspace
    const to = view.now
    const query = { kind: 'run', from: to - hours * 3_600_000, to, limit: maxRuns }
    const hasIncidents = incident.requires === null || session.supports(incident.requires)
    const [events, ids] = await Promise.all([
      client.send({ method: 'GET', path: `server/${id}/event`, query }),
      hasIncidents ? records.find(incident.name, { q: `server_id:#${id}`, limit: maxIncidents }) : [],
    ])
    const incidents = ids.flatMap((one) => records.peek(incident.name, one) ?? [])
    return annotationsOf(workspace, incidents, serverEvents().parse(events))
  }
  const { loaded, now, keys } = createRanged(ui, historyRanges, async (range) => {
    // Charts are shown without them if they can’t be read.
    const annotations = readAnnotations(range).catch((): readonly Annotation[] => [])
    const answers = metricBatches(chosen()).map((metrics) => readHistory(ui, [id], metrics, range))
    const series = (await Promise.all(answers)).flatMap((answer) => answer.series)
    return { series, annotations: await annotations }
  })
  const hasHistory = () => workspace.session.supports('history')
  const charts = (row: AnyRow): Chart[] =>
    chosen().flatMap(({ isMain, metrics }) =>
      metrics.flatMap(({ metric, top }) => {
        const found = loaded.value?.series.find((series) => series.metric === metric)?.points ?? []
        const points = scaledPoints(found, metric, row.host as Host).map(historyPoint)
        const name = capital(metricName(metric, translator), translator.language)
        const text = (value: number) => measured(metric, value, { translator, format })
        return isMain || points.length > 0 ? [{ name, points, top, text }] : []
      }),
    )
  return {
    ...keys,
    hints: () => hintsIf(hasHistory(), keys.hints()),
    load: () => hasHistory() && keys.load(),
    watch: () => (hasHistory() ? keys.watch() : () => undefined),
    spoken: (row) => [
      ...(loaded.value ? charts(row).map((chart) => chartText(ui, chart)) : []),
      ...(loaded.value?.annotations ?? []).map(({ text }) => text),
    ],
    lines(row, columns) {
      const figures = figureLines(ui, resource, row, columns)
      const drawn = { title: t('ui.tui.chart.title'), ranges: historyRanges, range: now(), columns }
      return [
        ...(figures.length > 0 ? [[], ruleLine([span(t('ui.tui.server.figures'))], columns), ...figures] : []),
        ...(hasHistory()
          ? [
              [],
              ...chartSection(ui, {
                ...drawn,
                charts: charts(row),
                none: loaded.value ? null : loaded.absence,
                annotations: loaded.value?.annotations ?? [],
              }),
            ]
          : []),
      ]
    },
  }
}
