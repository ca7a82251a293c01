import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { service } from '@qd/core/resources'
import * as z from 'zod'
import type { Base } from '../../base.ts'
import { liveViewOf } from '../../fleet/live/view.ts'
import { texts } from '../../kernel/texts.ts'
import { demandFor, owns, tokenCovers } from '../../store/records/rights.ts'
import type { ServiceRow } from '../../store/records/rows.ts'
import type { History, ServiceStep } from '../../watch/history/history.ts'
import type { Monitors } from '../../watch/monitors/monitors.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { type HttpContext, readId, readPeriod } from '../http/request.ts'
import type { Routes } from './openapi.ts'

const scope = service.scopes.read

export interface ServiceReadParts {
  base: Pick<Base, 'services' | 'servers' | 'accounts' | 'settings' | 'clock'>
  monitors: Monitors
  history: Pick<History, 'serviceDays' | 'servicePoints'>
  cycleStats(sees: (serverId: number) => boolean): object | null
}

/** Public data of services. Hidden ones appear nowhere (behaviour S-33, contract http-api 3.10). */
export function createServiceReads({ base, monitors, history, cycleStats }: ServiceReadParts): Routes {
  const { services, servers, settings, clock } = base

  function viewerOf(context: HttpContext): Viewer {
    const { viewer } = context.get('caller')
    demandFor(settings, viewer, service, { audience: 'guest', scope })
    return viewer
  }

  const isVisible = (viewer: Viewer) => (row: ServiceRow) =>
    (!row.hide_for_guest || owns(viewer, row)) &&
    tokenCovers(viewer, { selection: service.targets!({ ...row }), owner: row.owner_id }, base)

  function sees(viewer: Viewer) {
    const view = liveViewOf(viewer)
    return (id: number) => {
      const row = servers.find(id)
      return row !== undefined && view.sees(row)
    }
  }

  function itemOf(row: ServiceRow) {
    const days = history.serviceDays(row.id)
    const window = monitors.windowOf(row.id)
    return {
      service_name: row.name,
      // Ours: object keys have no order, and counts don't show the newest result.
      display_index: row.display_index,
      status: monitors.figuresOf(row).status,
      current_up: window.up,
      current_down: window.down,
      total_up: days.reduce((sum, { up }) => sum + up, 0),
      total_down: days.reduce((sum, { down }) => sum + down, 0),
      delay: days.map(({ delay }) => delay ?? 0),
      up: days.map(({ up }) => up),
      down: days.map(({ down }) => down),
    }
  }

  return {
    '/service': {
      about: {
        id: 'service.overview',
        tag: 'service',
        summary: 'State of each service, and traffic per cycle',
        scope,
        data: z.object(),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const visible = services.all().filter(isVisible(viewer))
        const cycles = cycleStats(sees(viewer))
        return answer({
          ...(visible.length > 0 && { services: Object.fromEntries(visible.map((row) => [row.id, itemOf(row)])) }),
          ...(cycles && { cycle_transfer_stats: cycles }),
        })
      },
    },
    '/service/server': {
      about: {
        id: 'service.servers',
        tag: 'service',
        summary: 'IDs of the servers that check a service',
        scope,
        data: z.array(z.int()),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const covered = services
          .all()
          .filter(isVisible(viewer))
          .map((row) => monitors.coverageOf(row))
        const ids = servers.all().map(({ id }) => id)
        return answer(ids.filter(sees(viewer)).filter((id) => covered.some((coverage) => coverage.has(id))))
      },
    },
    '/service/:id/history': {
      about: {
        id: 'service.history',
        tag: 'service',
        summary: 'Results of a service by server',
        scope,
        query: ['period'],
        data: z.object(),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const row = services.find(readId(context.req.param('id') ?? ''))
        if (!row || !isVisible(viewer)(row)) throw new AppError('notFound', { text: texts.service })
        const { name, ...range } = readPeriod(context, viewer, clock.now())
        const { series } = await history.servicePoints({ services: [row.id], ...range })
        const byServer = new Map(series.map(({ serverId, steps }) => [serverId, steps]))
        const reporters = servers.all().filter(({ id }) => byServer.has(id) && sees(viewer)(id))
        return answer({
          service_id: row.id,
          service_name: row.name,
          period: name,
          servers: reporters.map((server) => ({
            server_id: server.id,
            server_name: server.name,
            stats: statsOf(byServer.get(server.id) ?? []),
          })),
        })
      },
    },
    '/server/:id/service': {
      about: {
        id: 'server.services',
        tag: 'server',
        summary: 'Results of a server by service',
        scope,
        query: ['period'],
        data: z.array(z.object()),
      },
      async answer(context) {
        const viewer = viewerOf(context)
        const server = servers.find(readId(context.req.param('id') ?? ''))
        if (!server) throw new AppError('notFound', { text: texts.server })
        if (!sees(viewer)(server.id)) throw new AppError('forbidden', { text: texts.hidden })
        const { name: _name, ...range } = readPeriod(context, viewer, clock.now())
        const watching = services
          .all()
          .filter(isVisible(viewer))
          .filter((row) => monitors.coverageOf(row).has(server.id))
        const { series } = await history.servicePoints({
          services: watching.map(({ id }) => id),
          servers: [server.id],
          ...range,
        })
        const byService = new Map(series.map(({ serviceId, steps }) => [serviceId, steps]))
        return answer(
          watching.flatMap((row) => {
            const steps = byService.get(row.id) ?? []
            if (steps.length === 0) return []
            return {
              monitor_id: row.id,
              server_id: server.id,
              monitor_name: row.name,
              server_name: server.name,
              display_index: row.display_index,
              created_at: steps.map(({ at }) => at),
              avg_delay: steps.map(({ delay }) => delay ?? 0),
            }
          }),
        )
      },
    },
  }
}

/** Good if more than half of the results are (contract engines 13). */
function statsOf(steps: readonly ServiceStep[]) {
  const up = steps.reduce((sum, step) => sum + step.up, 0)
  const down = steps.reduce((sum, step) => sum + step.down, 0)
  const spent = steps.reduce((sum, step) => sum + (step.delay ?? 0) * step.up, 0)
  return {
    avg_delay: up === 0 ? 0 : spent / up,
    up_percent: up + down === 0 ? 0 : (up / (up + down)) * 100,
    total_up: up,
    total_down: down,
    data_points: steps.map((step) => ({
      ts: step.at,
      delay: step.delay ?? 0,
      status: step.up > Math.floor((step.up + step.down) / 2) ? 1 : 0,
    })),
  }
}

const answer = (data: unknown) => ok(envelope(dataText(data)))
