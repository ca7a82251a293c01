import { AppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import type { Format } from '@qd/core/i18n'
import { server, service } from '@qd/core/resources'
import {
  type HistoryAnswer,
  type HistoryUnit,
  historyAnswer,
  historyLimits,
  historyMetricNames,
  historyUnit,
  isSampledMetric,
  serverEvents,
  serviceHistory,
} from '@qd/core/schemas'
import { nearest } from '@qd/core/targets'
import { eventText, listParts, pickFields } from '@qd/core/view'
import { parseDurationMs } from '../../base/connect/duration.ts'
import { renderTable, type TableCell, type TableColumn } from '../../base/output/table.ts'
import { type ChartPoint, chartLines, chartStats, historyPoint } from '../../screen/fields/chart.ts'
import { asciiText } from '../../screen/terminal/ascii.ts'
import { type Cli, type Command, type FlagValues, numberFlag, textFlag, wordsIn } from './command.ts'
import { plainFlags, resultFields, resultFlags, selectFlags } from './flags/flags.ts'
import { pickMany } from './pick.ts'
import { findOne, recordsOf } from './read.ts'

const serverPointFields = ['server_id', 'server_name', 'metric', 'at', 'mean', 'min', 'max', 'last'] as const
const servicePointFields = ['server_id', 'server_name', 'at', 'delay', 'up'] as const
const eventFields = ['id', 'at', 'kind', 'params'] as const

const dayMs = 86_400_000
const longestMs = 10 * 366 * dayMs
const chartCells = 40
const periods = ['1d', '7d', '30d']
const maxEvents = 200

interface Series {
  labels: readonly string[]
  points: readonly ChartPoint[]
  top: number | null
  text(value: number): string
  more?: string
}

const inUnit: Readonly<Record<HistoryUnit, (value: number, format: Format) => string>> = {
  percent: (value, format) => format.percent(value),
  bytes: (value, format) => format.bytes(value),
  rate: (value, format) => format.rate(value),
  duration: (value, format) => format.duration(value),
  celsius: (value, format) => format.number(value, 2),
  number: (value, format) => format.number(value, 2),
}

/** A command with `--json` and `--plain` for its steps; `print` shows them to people. Errors: `usage`, before it starts. */
function withSteps<Name extends string>(
  fields: readonly Name[],
  {
    run,
    ...command
  }: Omit<Command, 'run'> & {
    run(
      cli: Cli,
      args: readonly (string | undefined)[],
      flags: FlagValues,
    ): Promise<{ steps: readonly Readonly<Record<Name, unknown>>[]; print(): void }>
  },
): Command {
  return {
    ...command,
    flags: [...(command.flags ?? []), ...plainFlags, ...resultFlags(() => fields)],
    async run(cli, args, flags) {
      const wanted = resultFields(flags, fields)
      const { steps, print } = await run(cli, args, flags)
      if (wanted) return cli.json(steps.map((step) => pickFields(step, wanted)))
      if (flags.plain !== true) return print()
      if (flags.header !== false) cli.print(fields.join('\t'))
      const text = (value: unknown) => plainText(typeof value === 'object' ? JSON.stringify(value) : String(value))
      for (const step of steps) cli.print(fields.map((name) => text(step[name])).join('\t'))
    },
  }
}

/** Metrics over time: a line with a small chart each, or every step. */
export const serverHistoryCommand = withSteps(serverPointFields, {
  name: 'history',
  help: 'ui.cli.commands.serverHistory',
  args: '[names...]',
  values: { kind: 'records', of: 'server' },
  flags: [
    ...selectFlags('server'),
    {
      flags: '--metric <list>',
      help: 'ui.cli.flags.metric',
      values: { kind: 'words', words: () => historyMetricNames, many: true },
    },
    { flags: '--range <time>', help: 'ui.cli.flags.range' },
    { flags: '--points <n>', help: 'ui.cli.flags.points' },
  ],
  examples: [
    'server history web-1',
    'server history web-1 web-2 --metric cpu,load5 --range 7d',
    "server history --select 'group:web' --metric memory",
    'server history web-1 --metric net_in_speed --range 1h --json at,mean',
  ],
  async run(cli, args, flags) {
    const metrics = metricsOf(textFlag(flags, 'metric') ?? 'cpu')
    const rangeMs = parseDurationMs(textFlag(flags, 'range') ?? '24h', '--range', longestMs)
    const points = Math.min(historyLimits.points, numberFlag(flags, 'points', { usual: 300 }))
    const connection = await cli.connect()
    await cli.demand('history')
    const records = await recordsOf(cli)
    const rows = await pickMany({
      cli,
      resource: server,
      records,
      words: wordsIn(args),
      flags,
      command: 'qd server history',
    })
    const to = Math.floor(connection.now())
    const from = to - Math.ceil(rangeMs / 1000) * 1000
    const series: HistoryAnswer['series'] = []
    for (let first = 0; first < rows.length; first += historyLimits.servers) {
      const some = rows.slice(first, first + historyLimits.servers)
      const query = { servers: some.map(({ id }) => id).join(','), metric: metrics.join(','), from, to, points }
      const answer = await connection.client.send({ method: 'GET', path: 'history', query })
      series.push(...historyAnswer().parse(answer).series)
    }
    // The server leaves out what this user may not see.
    const hidden = metrics.filter((metric) => !(isSampledMetric(metric) || series.some((one) => one.metric === metric)))
    if (hidden.length > 0) throw new AppError('forbidden')
    const nameOf = (id: number) => plainText(String(rows.find((row) => row.id === id)?.name ?? `#${id}`))
    const steps = series.flatMap(({ server_id, metric, points: all }) =>
      all.map(([at, mean, min, max, last]) => ({
        ...{ server_id, server_name: nameOf(server_id), metric, at: new Date(at).toISOString() },
        ...{ mean, min, max, last },
      })),
    )
    const lines = series.map(({ server_id, metric, points: all }): Series => {
      const unit = historyUnit(metric)
      return {
        labels: [nameOf(server_id), metric],
        // The mean of nine days and “not filling up” is none of a host’s times.
        points: all.map((point) => (unit === 'duration' ? [point[0], point[4]] : historyPoint(point))),
        top: unit === 'percent' ? 100 : null,
        text: (value) => inUnit[unit ?? 'number'](value, cli.format),
      }
    })
    return { steps, print: () => printSeries(cli, lines, { from, to }) }
  },
})

export const serverEventsCommand = withSteps(eventFields, {
  name: 'events',
  help: 'ui.cli.commands.serverEvents',
  args: '[name]',
  values: { kind: 'records', of: 'server' },
  flags: [{ flags: '--limit <n>', help: 'ui.cli.flags.limit' }],
  examples: ['server events web-1', 'server events web-1 --limit 5 --json at,kind'],
  async run(cli, [name], flags) {
    const limit = Math.min(maxEvents, numberFlag(flags, 'limit', { usual: 50 }))
    const { client, now } = await cli.connect()
    await cli.demand('history')
    const { id } = await findOne(server, await recordsOf(cli), name, 'events')
    const events = serverEvents().parse(
      await client.send({ method: 'GET', path: `server/${id}/event`, query: { limit } }),
    )
    const rows = events.map((event): TableCell[] => [
      { text: cli.io.stdout.isTTY ? cli.format.instant(event.at, now()) : event.at, tone: 'muted' },
      eventText(cli.translator, event),
    ])
    return {
      steps: events,
      print() {
        printCells(cli, rows, [])
        if (events.length === 0) cli.note(cli.t('ui.detail.noEvents'))
      },
    }
  },
})

export const serviceHistoryCommand = withSteps(servicePointFields, {
  name: 'history',
  help: 'ui.cli.commands.serviceHistory',
  args: '[name]',
  values: { kind: 'records', of: 'service' },
  flags: [{ flags: '--range <1d|7d|30d>', help: 'ui.cli.flags.range' }],
  examples: ['service history shop', 'service history shop --range 7d --json server_name,at,delay'],
  async run(cli, [name], flags) {
    const period = textFlag(flags, 'range') ?? '1d'
    if (!periods.includes(period)) throw usageError('badRange', { text: period })
    const { client, now } = await cli.connect()
    const { id } = await findOne(service, await recordsOf(cli), name, 'history')
    const found = serviceHistory().parse(
      await client.send({ method: 'GET', path: `service/${id}/history`, query: { period } }),
    )
    const steps = found.servers.flatMap(({ server_id, server_name, stats }) =>
      stats.data_points.map(({ ts, delay, status }) => ({
        ...{ server_id, server_name, at: new Date(ts).toISOString() },
        ...{ delay, up: status === 1 },
      })),
    )
    const { translator, format } = cli
    const lines = found.servers.map(
      ({ server_name, stats }): Series => ({
        labels: [plainText(server_name)],
        points: stats.data_points.filter(({ status }) => status === 1).map(({ ts, delay }) => [ts, delay]),
        top: null,
        text: (value) => format.latency(value),
        more: translator.t('ui.cli.history.up', { percent: format.percent(stats.up_percent) }),
      }),
    )
    const to = now()
    return { steps, print: () => printSeries(cli, lines, { from: to - Number.parseInt(period, 10) * dayMs, to }) }
  },
})

/** Names of metrics, and of series about one record of a host, such as `unit_down:nginx`. */
function metricsOf(text: string): string[] {
  return listParts(text).map((part) => {
    const at = part.indexOf(':')
    const name = at < 0 ? part.replaceAll('-', '_') : part.slice(0, at).replaceAll('-', '_') + part.slice(at)
    if (historyUnit(name) !== null) return name
    throw usageError('unknownMetric', { name: part, near: nearest(name, historyMetricNames) })
  })
}

function printSeries(cli: Cli, series: readonly Series[], { from, to }: { from: number; to: number }): void {
  const { translator, io } = cli
  const rows = series.map(({ labels, points, top, text, more = '' }) => {
    const stats = chartStats(points)
    if (!stats) return [...labels, translator.t('ui.tui.chart.none'), '', '', more]
    const highest = top ?? (Math.max(0, ...points.map(([, value]) => value)) || 1)
    const [chart = []] = chartLines({ points, from, to, columns: chartCells, rows: 1, top: highest })
    const drawn = chart.map((part) => part.text).join('')
    const figures = translator.t('ui.tui.chart.stats', { mean: text(stats.mean), peak: text(stats.peak) })
    return [...labels, io.unicode ? drawn : asciiText(drawn), text(stats.last), figures, more]
  })
  printCells(cli, rows, [...(series[0]?.labels ?? []).map(() => 'middle' as const), 'start'])
}

/** `cuts`: where texts of the first columns are cut. */
function printCells(
  { io: { stdout }, out: style, print }: Cli,
  rows: readonly (readonly TableCell[])[],
  cuts: readonly TableColumn['cut'][],
): void {
  const columns = (rows[0] ?? []).map((_, index) => ({ keep: true, cut: cuts[index] ?? 'end' }))
  const width = stdout.isTTY ? stdout.columns : null
  for (const line of renderTable({ columns, rows, width, header: false, style })) print(line)
}
