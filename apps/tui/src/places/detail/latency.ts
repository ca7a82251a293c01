import { measured } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { type ServiceHistory, serviceHistory } from '@qd/core/schemas'
import { headingOf } from '@qd/core/view'
import type { ChartPoint } from '../../screen/fields/chart.ts'
import { createLoaded } from '../../screen/state/loaded.ts'
import { type Chart, chartSection, chartText, createRanges } from './chart-section.ts'
import type { SectionMaker } from './section-view.ts'

/** The ranges that the wire knows. Source: contract http-api 4.5. */
const ranges = [
  { hours: 24, period: '1d' },
  { hours: 168, period: '7d' },
  { hours: 720, period: '30d' },
] as const

/** How long each server waited for an answer, over time. */
export const createLatency: SectionMaker<'latency'> = (ui, { resource, id, section }) => {
  const { workspace } = ui
  const { translator, format } = workspace
  const { t } = translator
  const shown = createRanges<(typeof ranges)[number]>(ranges, () => history.load())
  const path = section.path.replace('{id}', String(id))
  const history = createLoaded<ServiceHistory>(ui, async () => {
    const query = { period: shown.now.period }
    return serviceHistory().parse(await workspace.client.send({ method: 'GET', path, query }))
  })
  const text = (value: number) => measured('latency', value, { translator, format })
  const upText = (percent: number) => measured('availability', percent, { translator, format })
  const charts = (): Chart[] => {
    const servers = (history.value?.servers ?? []).map(({ server_id, server_name, stats }) => ({
      name: `${server_name || `#${server_id}`}, ${upText(stats.up_percent)}`,
      // Failed probes have no latency.
      points: stats.data_points.filter(({ status }) => status === 1).map(({ ts, delay }): ChartPoint => [ts, delay]),
    }))
    const top = Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, delay]) => delay)))
    return servers.map((one) => ({ ...one, top, text }))
  }
  const waiting = (drawn: readonly Chart[]): string | null => {
    if (drawn.length > 0) return null
    if (history.value) return t('ui.tui.chart.none')
    return history.error ? errorText(translator, history.error).title : t('ui.list.loading')
  }
  return {
    commands: shown.commands,
    hints: () => [{ chord: ']', label: t('ui.tui.hints.range') }],
    load: history.load,
    comes: () => history.isComing,
    watch: history.watch,
    spoken: () => charts().map((chart) => chartText(ui, chart)),
    lines(_row, columns) {
      const drawn = charts()
      const title = headingOf(translator, resource, section) ?? ''
      return [
        [],
        ...chartSection(ui, { title, ranges, range: shown.now, charts: drawn, none: waiting(drawn), columns }),
      ]
    },
  }
}
