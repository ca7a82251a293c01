import type { Events } from '../../fleet/events/events.ts'
import type { CronRecords } from '../../store/records/rows.ts'
import type { ClosedPart } from './run-types.ts'

/** Records on each server the outcome of the tasks that ran there. */
export function noteRuns(
  onClosed: (listen: (part: ClosedPart) => void) => unknown,
  { events, crons }: { events: Events; crons: CronRecords },
): void {
  onClosed(({ cronId, runId, serverId, state }) => {
    if (cronId === 0) return
    const name = crons.find(cronId)?.name ?? ''
    events.record({ serverId, kind: 'run', params: { name, state, run_id: runId } })
  })
}
