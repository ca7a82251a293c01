import { TaskCover } from '@qd/core/resources'
import type { Base } from '../base.ts'
import type { CronRow } from '../store/records/rows.ts'
import type { Ledger } from './runs/ledger.ts'

export interface Trigger {
  ownerId: number
  serverId: number
  by: string
}

/** Starts tasks without waiting. Returns the IDs of the runs that started. */
export type RunTriggered = (taskIds: readonly number[], trigger: Trigger) => Promise<number[]>

/** Runs tasks of the same owner; for administrators any (contract engines 1.8, behaviour S-30). */
export function createTriggerTasks(
  { crons, servers, accounts, log }: Pick<Base, 'crons' | 'servers' | 'accounts' | 'log'>,
  runs: Pick<Ledger, 'startCron'>,
): RunTriggered {
  /** A task for the alerting server requires that its own owner may use it. */
  function mayRunOn(task: CronRow, serverId: number): boolean {
    if (task.cover !== TaskCover.onAlert) return true
    const server = servers.find(serverId)
    return server !== undefined && (accounts.isAdmin(task.owner_id) || server.owner_id === task.owner_id)
  }

  return async (taskIds, { ownerId, serverId, by }) => {
    const tasks = [...new Set(taskIds)].flatMap((id) => crons.find(id) ?? [])
    const mine = tasks.filter((task) => accounts.isAdmin(ownerId) || task.owner_id === ownerId)
    const started = await Promise.all(
      mine
        .filter((task) => mayRunOn(task, serverId))
        .map((task) =>
          runs.startCron(task, { by, raisedBy: serverId }).catch((error: unknown) => {
            log.error({ err: error, cronId: task.id }, 'failed to start task for incident')
            return []
          }),
        ),
    )
    return started.flat()
  }
}
