import { type AppError, toAppError } from '@qd/core/errors'
import { measured, metricName } from '@qd/core/fields'
import { capital, errorText } from '@qd/core/i18n'
import { type HistoryAnswer, type HistoryMetric, historyAnswer } from '@qd/core/schemas'
import { type HistoryChart, historyCharts, scaledPoints } from '@qd/core/view'
import { useEffect, useMemo, useState } from 'react'
import { ports } from '../base/ports.ts'
import type { Zoom } from '../base/state/charts.ts'
import { useTexts } from '../base/state/texts.ts'
import { type ChartLine, LineChart } from '../record/charts/LineChart.tsx'
import { client } from './client.ts'
import type { PublicState } from './feed.ts'
import { loadTexts, noteText } from './load-text.ts'
import { Problems } from './Problems.tsx'
import * as css from './Public.css.ts'
import { follow } from './place.ts'
import { type PublicServer, serverStateOf } from './public-server.ts'

/** A server as visitors see it: its state, what it is, and its last day. */
export function ServerPage({
  id,
  servers,
  incidents,
  site,
}: { id: number; site: string } & Pick<PublicState, 'servers' | 'incidents'>) {
  const { t } = useTexts()
  const server = servers.find((one) => one.id === id)
  const own = incidents.filter(({ serverId }) => serverId === id)
  const name = server?.name
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} · ${site}`
    return () => {
      document.title = site
    }
  }, [name, site])
  return (
    <>
      <a className={css.back} href="/" onClick={follow}>
        {t('ui.public.allServers')}
      </a>
      {server ? (
        <>
          <Head server={server} />
          <Problems servers={[server]} incidents={own} />
          <Charts server={server} />
        </>
      ) : (
        <section className={css.hero}>
          <span className={css.heroMark.muted} />
          <div>
            <h1 className={css.heroTitle}>{t('ui.public.noServer')}</h1>
            <p className={css.heroText}>{t('ui.public.noServerText')}</p>
          </div>
        </section>
      )}
    </>
  )
}

const marks = { online: 'ok', busy: 'warn', offline: 'bad', maintenance: 'muted', never: 'muted' } as const

function Head({ server }: { server: PublicServer }) {
  const texts = useTexts()
  const { t, format } = texts
  const { name, sample, lastActive, isOnline } = server
  const state = serverStateOf(server)
  const { platform, arch, cpu = [], mem_total = 0, disk_total = 0 } = sample.host
  const uptime = sample.state.uptime ?? 0
  const facts = [
    platform,
    arch,
    cpu[0],
    mem_total > 0 && t('ui.public.memorySize', { size: format.bytes(mem_total) }),
    disk_total > 0 && t('ui.public.diskSize', { size: format.bytes(disk_total) }),
    isOnline && uptime > 0 && t('ui.public.upFor', { span: format.duration(uptime) }),
  ].filter(Boolean)
  const now = [
    t(`ui.public.looks.${state}`),
    ...(isOnline ? loadTexts(texts, server) : []),
    !isOnline && lastActive !== null && t('ui.public.lastSeen', { since: format.since(lastActive, ports.now()) }),
  ].filter(Boolean)
  const note = noteText(texts, server)
  return (
    <section className={css.hero}>
      <span className={css.heroMark[marks[state]]} aria-hidden="true" />
      <div>
        <h1 className={css.heroTitle}>{name}</h1>
        <p className={css.heroText}>{now.join(' · ')}</p>
        {facts.length > 0 && <p className={css.small}>{facts.join(' · ')}</p>}
        {note !== '' && <p className={css.small}>{note}</p>}
      </div>
    </section>
  )
}

const dayMs = 86_400_000
const everyMs = 60_000
const charts = historyCharts.filter(({ isMain }) => isMain)
const metrics = charts.flatMap((chart) => chart.metrics.map(({ metric }) => metric))
const points = 288

interface Day {
  answer: HistoryAnswer | null
  /** When the answer came; the server ends the range. */
  at: number
  error: AppError | null
}

/** The last day of a server, requested again each minute; null if the server keeps no history. */
function useDay(id: number): Day | null {
  const [day, setDay] = useState<Day | null>({ answer: null, at: 0, error: null })
  useEffect(() => {
    const own = new AbortController()
    const { signal } = own
    const read = async () => {
      try {
        const isKept = (await client.capabilities()).includes('history')
        const query = { servers: id, metric: metrics.join(','), points }
        const answer = isKept ? await client.send({ method: 'GET', path: 'history', query }, { signal }) : null
        if (signal.aborted) return
        setDay(answer === null ? null : { answer: historyAnswer().parse(answer), at: ports.now(), error: null })
      } catch (thrown) {
        if (!signal.aborted) setDay((before) => before && { ...before, error: toAppError(thrown) })
      }
    }
    void read()
    const timer = setInterval(() => document.hidden || void read(), everyMs)
    return () => {
      own.abort()
      clearInterval(timer)
    }
  }, [id])
  return day
}

function Charts({ server }: { server: PublicServer }) {
  const { t, translator } = useTexts()
  const day = useDay(server.id)
  const [zoom, setZoom] = useState<Zoom | null>(null)
  if (day === null) return null
  const { answer, at, error } = day
  const hasPoints = answer?.series.some((one) => one.points.length > 0) ?? false
  return (
    <section className={css.section} aria-busy={!answer && !error}>
      <div className={css.row}>
        <h2>{t('ui.public.lastDay')}</h2>
        {zoom && (
          <button type="button" className={css.unfold} onClick={() => setZoom(null)}>
            {t('ui.history.wholeRange')}
          </button>
        )}
      </div>
      {error && !answer && <p className={css.small}>{errorText(translator, error).title}</p>}
      {answer && !hasPoints && <p className={css.small}>{t('ui.history.none')}</p>}
      {answer && hasPoints && (
        <div className={css.charts}>
          {charts.map((chart) => (
            <Chart
              key={chart.label}
              {...{ chart, answer, server }}
              range={zoom ?? { from: at - dayMs, to: at }}
              onZoom={(from, to) => setZoom({ from, to })}
            />
          ))}
        </div>
      )}
    </section>
  )
}

function Chart({
  chart: { label, metrics: own },
  answer,
  server,
  range: { from, to },
  onZoom,
}: {
  chart: HistoryChart
  answer: HistoryAnswer
  server: PublicServer
  range: Zoom
  onZoom: (from: number, to: number) => void
}) {
  const { translator, format, say } = useTexts()
  const { host } = server.sample
  const nameOf = (metric: HistoryMetric) => capital(metricName(metric, translator), translator.language)
  const [first] = own
  const total = host.mem_total ?? 0
  const disk = host.disk_total ?? 0
  // A frame brings a new sample each second; only new totals change the lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the totals are what scaling reads of the host
  const lines = useMemo(
    () =>
      own.map(({ metric }): ChartLine => {
        const found = answer.series.find((one) => one.metric === metric)?.points ?? []
        return { label: nameOf(metric), points: scaledPoints(found, metric, host) }
      }),
    [answer, total, disk, translator],
  )
  const span = useMemo(() => ({ from, to, stepMs: answer.step_ms }), [from, to, answer.step_ms])
  if (!first || lines.every((line) => line.points.length === 0)) return null
  return (
    <div className={css.group}>
      <LineChart
        title={own.length === 1 ? nameOf(first.metric) : say(label)}
        lines={lines}
        span={span}
        top={first.top}
        sayValue={(value) => measured(first.metric, value, { translator, format })}
        onZoom={onZoom}
      />
    </div>
  )
}
