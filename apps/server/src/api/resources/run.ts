import { type Action, actionOf, Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { cron, RunKind, run, server } from '@qd/core/resources'
import type { RolloutStep } from '../../act/runs/rollout.ts'
import type { RunRow } from '../../act/runs/run-types.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { answerPage, type RowsWanted } from '../../store/records/pages.ts'
import { demandFor, demandRight, owns } from '../../store/records/rights.ts'
import { ownerItem, toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, refuseBlocked, type Surroundings } from './store.ts'

/** Scopes to rerun or stop a run: those to start it. */
const scopeOf: Readonly<Record<RunRow['kind'], string | null>> = {
  cron: actionOf(cron, 'run').scope,
  exec: actionOf(server, 'exec').scope,
  update: actionOf(server, 'force-update').scope,
  config: actionOf(server, 'config').scope,
  file: null,
}

export const runRoutes: Served<'run'> = { resource: run, serve: createRunStore }

function createRunStore({ runs, stepUp }: Container, around: Surroundings): ResourceStore {
  const { accounts, settings, clock, view } = around
  function recordOf({ owner_id, created_at, updated_at, finished_at, deadline_ms: _deadline, ...fields }: RunRow) {
    return {
      ...fields,
      created_at: toInstant(created_at),
      updated_at: toInstant(updated_at),
      finished_at: toInstant(finished_at),
      owner: ownerItem(accounts, owner_id),
    }
  }

  async function rowFor({ viewer }: Caller, id: number): Promise<RunRow> {
    const row = await runs.get(id)
    const { servers } = viewer
    // A limited token gets no runs on other servers.
    const isWithin = servers === undefined || row?.items?.every((item) => servers.includes(item.server_id))
    if (row && owns(viewer, row) && isWithin) return row
    throw new AppError('notFound', { resource: 'run', id })
  }

  const read = ({ viewer }: Caller) => demandRight(settings, viewer, run, 'read')

  return {
    ...noRoutes,
    resource: run,
    async list(caller, query) {
      read(caller)
      if (caller.viewer.servers) throw new AppError('forbidden')
      const scope = { owner: caller.viewer.role === Role.admin ? null : caller.viewer.id }
      const source = {
        read: (wanted: RowsWanted) => runs.list(scope, wanted),
        counts: () => runs.counts(scope),
        recordOf,
      }
      return answerPage(run, query, { source, view: view(caller.viewer) })
    },
    async get(caller, id) {
      read(caller)
      return JSON.stringify(recordOf(await rowFor(caller, id)))
    },
    async act(caller, action: Action, id, _body, note) {
      demandFor(settings, caller.viewer, run, action)
      const row = await rowFor(caller, id)
      refuseBlocked(action, { resource: run, record: recordOf(row), now: clock.now() })
      if (action.name === 'again') {
        demandFor(settings, caller.viewer, run, { audience: action.audience, scope: scopeOf[row.kind] })
        if (row.kind === 'exec') stepUp.demand(caller)
        else stepUp.demandFor(caller, row.items!.length)
        return { run_id: await runs.again(id, { by: caller.viewer.username }, (db) => note?.(db)) }
      }
      if (action.name === 'stop')
        demandFor(settings, caller.viewer, run, { audience: action.audience, scope: scopeOf[row.kind] })
      runs.steer(id, action.name as RolloutStep)
      const isCommand = row.kind === RunKind.exec || row.kind === RunKind.cron
      if (action.name === 'stop' && isCommand && runs.endCommands(id) === 0)
        throw new AppError('blocked', { unended: String(id), text: texts.cannotEnd })
      return null
    },
  }
}
