import { AppError } from '@qd/core/errors'
import { server } from '@qd/core/resources'
import { type HistoryAnswer, historyLimits, historyUnit, isSampledMetric, sampledMetrics } from '@qd/core/schemas'
import * as z from 'zod'
import type { Base } from '../../base.ts'
import type { EventStore } from '../../fleet/events/event-store.ts'
import { liveViewOf } from '../../fleet/live/view.ts'
import { texts } from '../../kernel/texts.ts'
import {
  demandFor,
  historyScope,
  ownServer,
  ownsServer,
  seesAllServers,
  seesHosts,
} from '../../store/records/rights.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import type { History } from '../../watch/history/history.ts'
import { stepFor } from '../../watch/history/steps.ts'
import { dataText, envelope, ok, packed } from '../http/answer.ts'
import { type HttpContext, readId, readNumber, readPeriod } from '../http/request.ts'
import type { Routes } from './openapi.ts'

const dayMs = 86_400_000
/** Total points per answer: more would delay other calls. */
const maxPoints = 40_000
const usual = { points: 300, events: 50 }
const maxEvents = 200
/** With a minute of clock skew. */
const guestMs = dayMs + 60_000

export function createHistoryReads(
  { servers, settings, clock }: Pick<Base, 'servers' | 'settings' | 'clock'>,
  { history, events }: { history: Pick<History, 'points'>; events: Pick<EventStore, 'list'> },
): Routes {
  const send = (context: HttpContext, data: unknown) => packed(context, envelope(dataText(data)))

  function viewerOf(context: HttpContext) {
    const { viewer } = context.get('caller')
    demandFor(settings, viewer, server, { audience: 'guest', scope: historyScope })
    return viewer
  }
  function visible(context: HttpContext, id: number): ServerRow {
    const row = servers.find(id)
    if (!row) throw new AppError('notFound', { resource: 'server', id, text: texts.server })
    if (!liveViewOf(context.get('caller').viewer).sees(row))
      throw new AppError('notFound', { resource: 'server', id, text: texts.hidden })
    return row
  }

  return {
    '/server/:id/metrics': {
      about: {
        id: 'server.metrics',
        tag: 'server',
        summary: 'History of one metric',
        scope: historyScope,
        query: ['metric', 'period'],
        data: z.object(),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const { id, name } = visible(context, readId(context.req.param('id') ?? ''))
        const [metric = ''] = readMetrics(context, 1)
        // Known to Nezha's dashboards, and never absent.
        if (!isSampledMetric(metric)) throw new AppError('invalid', { text: texts.metric })
        const { from, to, stepMs } = readPeriod(context, viewer, clock.now())
        const { optional = false, counter = false } = sampledMetrics[metric] as { optional?: true; counter?: true }
        // This call reports 0 for missing sensors.
        const metrics = optional ? [metric, 'cpu' as const] : [metric]
        const [series, samples = series] = (await history.points({ servers: [id], metrics, from, to, stepMs })).series
        const known = new Map(series!.points.map(([ts, mean, , , last]) => [ts, counter ? last : mean]))
        const points = samples!.points.map(([ts]) => ({ ts, value: known.get(ts) ?? 0 }))
        return send(context, {
          server_id: id,
          ...(name !== '' && { server_name: name }),
          metric,
          data_points: points.length === 0 ? null : points,
        })
      },
    },

    '/history': {
      about: {
        id: 'server.history',
        tag: 'server',
        summary: 'History of server metrics',
        scope: historyScope,
        query: ['servers', 'metrics', 'from', 'to', 'points'],
        data: z.object(),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const rows = readList(context, 'servers', historyLimits.servers).map((text) => visible(context, readId(text)))
        const ids = rows.map(({ id }) => id)
        const metrics = readMetrics(context, historyLimits.metrics)
        const to = readNumber(context, 'to', clock.now())
        const from = readNumber(context, 'from', to - dayMs)
        const asked = readNumber(context, 'points', usual.points)
        if (from >= to) throw new AppError('invalid', { text: texts.range })
        if (viewer.id === null && from < clock.now() - guestMs)
          throw new AppError('invalid', { text: texts.guestPeriod })
        const most = Math.min(historyLimits.points, Math.floor(maxPoints / (ids.length * metrics.length)))
        const stepMs = stepFor(to - from, Math.max(1, Math.min(asked, most)))
        const found = await history.points({ servers: ids, metrics, from, to, stepMs })
        const mayLookInto = new Set(
          seesHosts(settings, viewer) ? rows.filter((row) => ownsServer(viewer, row)).map(({ id }) => id) : [],
        )
        const data: HistoryAnswer = {
          step_ms: found.stepMs,
          // A series that this viewer may not see is left out; an empty one would say that there is no data.
          series: found.series
            .filter(({ serverId, metric }) => isSampledMetric(metric) || mayLookInto.has(serverId))
            .map(({ serverId, ...series }) => ({ server_id: serverId, ...series })),
        }
        return send(context, data)
      },
    },

    '/server/:id/event': {
      about: {
        id: 'server.events',
        tag: 'server',
        summary: 'Events of a server, newest first',
        scope: server.scopes.read,
        query: ['before', 'kind', 'from', 'to', 'limit'],
        data: z.array(z.object()),
      },
      async answer(context) {
        const { viewer } = context.get('caller')
        demandFor(settings, viewer, server, { audience: 'user', scope: server.scopes.read })
        const id = readId(context.req.param('id') ?? '')
        if (!ownServer(servers, viewer, id))
          throw new AppError('notFound', {
            resource: 'server',
            id,
            ...(!seesAllServers(viewer) && { text: texts.server }),
          })
        const before = context.req.query('before')
        const found = await events.list(id, {
          before: before ? readId(before) : null,
          kind: context.req.query('kind'),
          from: readNumber(context, 'from', 0),
          to: readNumber(context, 'to', clock.now() + dayMs),
          limit: Math.max(1, Math.min(maxEvents, readNumber(context, 'limit', usual.events))),
        })
        const data = found.map((event) => ({ ...event, at: new Date(event.at).toISOString() }))
        return ok(envelope(dataText(data)))
      },
    },
  }
}

/** Unique comma-separated entries. Errors: `invalid`. */
function readList(context: HttpContext, name: string, most: number): string[] {
  const entries = [...new Set((context.req.query(name) ?? '').split(',').filter(Boolean))]
  if (entries.length === 0) throw new AppError('invalid', { text: `${name} is required` })
  if (entries.length > most) throw new AppError('invalid', { text: `at most ${most} ${name} at once` })
  return entries
}

function readMetrics(context: HttpContext, most: number): string[] {
  const names = (context.req.query('metric') ?? '').split(',')
  if (names.some((name) => historyUnit(name) === null)) throw new AppError('invalid', { text: texts.metric })
  return readList(context, 'metric', most)
}
