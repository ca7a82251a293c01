import { type Action, Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { cron, run, server } from '@qd/core/resources'
import type { StepUp } from '../http/step-up.ts'
import type { RolloutStep } from '../jobs/rollouts.ts'
import type { RunLedger, RunRow } from '../jobs/run-types.ts'
import type { Caller } from '../services.ts'
import { refuseBlocked } from './blocked.ts'
import { demandFor, ownerItem, owns, type ResourceStore, type Surroundings, toInstant } from './store.ts'

/** Bounds of a page (contract http-api 1.2; the upper one is ours, S-48). */
const page = { default: 25, max: 500 }

/** Repeating a run takes the same right as starting it. */
const scopeOf: Readonly<Record<RunRow['kind'], string | null>> = {
  cron: cron.actions.run!.scope,
  exec: server.actions.exec!.scope,
  update: server.actions['force-update']!.scope,
  config: server.actions.config!.scope,
}

/** The store behind the run routes: reads go to the ledger, a page at a time. */
export function createRunStore(
  { runs, stepUp }: { runs: RunLedger; stepUp: StepUp },
  around: Surroundings,
): ResourceStore {
  const { accounts, settings, clock } = around
  const noRoute = async () => {
    throw new AppError('noRoute')
  }

  function recordOf({ owner_id, created_at, updated_at, finished_at, deadline_ms: _deadline, ...fields }: RunRow) {
    return {
      ...fields,
      created_at: toInstant(created_at),
      updated_at: toInstant(updated_at),
      finished_at: toInstant(finished_at),
      owner: ownerItem(accounts, owner_id),
    }
  }

  async function own({ viewer }: Caller, id: number): Promise<RunRow> {
    const row = await runs.get(id)
    const { servers } = viewer
    // A token that is limited to some servers gets no runs that went to others.
    const isWithin = servers === undefined || row?.items?.every((item) => servers.includes(item.server_id))
    if (row && owns(viewer, row) && isWithin) return row
    throw new AppError('notFound', { resource: 'run', id })
  }

  const read = ({ viewer }: Caller) =>
    demandFor(settings, viewer, run, { audience: run.audience.read, scope: run.scopes.read })

  return {
    resource: run,
    version: () => null,
    async list(caller, query) {
      read(caller)
      if (caller.viewer.servers) throw new AppError('forbidden')
      const offset = numberIn(query.get('offset'), { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 })
      const limit = Math.min(
        numberIn(query.get('limit'), { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: page.default }),
        page.max,
      )
      const owner = caller.viewer.role === Role.admin ? null : caller.viewer.id
      const { rows, total } = await runs.list({ owner, offset, limit })
      const pagination = { ...(offset > 0 && { offset }), limit, ...(total > 0 && { total }) }
      return JSON.stringify({ ...(rows.length > 0 && { value: rows.map(recordOf) }), pagination })
    },
    async get(caller, id) {
      read(caller)
      return JSON.stringify(recordOf(await own(caller, id)))
    },
    create: noRoute,
    edit: noRoute,
    remove: noRoute,
    async act(caller, action: Action, id) {
      demandFor(settings, caller.viewer, run, action)
      const row = await own(caller, id)
      refuseBlocked(action, { resource: run, record: recordOf(row), now: clock.now() })
      if (action.name === 'again') {
        demandFor(settings, caller.viewer, run, { audience: action.audience, scope: scopeOf[row.kind] })
        if (row.kind === 'exec') stepUp.demand(caller)
        else stepUp.demandFor(caller, row.items!.length)
        return { run_id: await runs.again(id, { by: caller.viewer.username }) }
      }
      runs.steer(id, action.name as RolloutStep)
      return null
    },
  }
}

/** A number of the query string within bounds; the fallback for anything else. */
function numberIn(text: string | null, { min, max, fallback }: { min: number; max: number; fallback: number }): number {
  const value = text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : fallback
}
