import { ItemState, NoAnswerReason, TaskType } from '@qd/core/resources'
import { parseSchedule } from '@qd/core/schemas'
import type { Ledger } from '../act/runs/ledger.ts'
import type { ClosedPart } from '../act/runs/run-types.ts'
import type { Base } from '../base.ts'
import type { Engine } from '../kernel/engine.ts'
import type { CronRow } from '../store/records/rows.ts'
import type { Notice, Notices } from './notices/types.ts'

/** The notification about one server's part of a task (contract engines 3.4, 3.5). */
export function taskMessage(
  task: Pick<CronRow, 'name' | 'push_successful'>,
  server: string,
  { state, reason, exitCode, output }: Pick<ClosedPart, 'state' | 'reason' | 'exitCode' | 'output'>,
): string | null {
  if (state === ItemState.success && task.push_successful) {
    return `[Scheduled Task Executed Successfully] ${task.name}, ${server}\n${output}`
  }
  if (state === ItemState.failure) {
    const exit = exitCode === null ? '' : `${output === '' || output.endsWith('\n') ? '' : '\n'}exit status ${exitCode}`
    return `[Scheduled Task Executed Failed] ${task.name}, ${server}\n${output}${exit}`
  }
  if (state === ItemState.noAnswer && reason === NoAnswerReason.offline) {
    return `[Task failed] ${task.name}: server ${server} is offline and cannot execute the task`
  }
  return null
}

/** Messages about tasks with invalid schedules, one per group and owner (contract engines 3.6). */
export function startMessages(tasks: readonly CronRow[]): readonly Pick<Notice, 'groupId' | 'ownerId' | 'message'>[] {
  const listed = new Map<string, { groupId: number; ownerId: number; ids: string }>()
  for (const { id, task_type, scheduler, notification_group_id: groupId, owner_id: ownerId } of tasks) {
    if (task_type !== TaskType.scheduled || parseSchedule(scheduler).ok) continue
    const key = `${groupId} ${ownerId}`
    listed.set(key, { groupId, ownerId, ids: `${listed.get(key)?.ids ?? ''}${id},` })
  }
  return [...listed.values()].map(({ ids, ...whom }) => ({
    ...whom,
    message: `Tasks failed to register: [${ids}] These tasks will not execute properly. Fix them in the admin dashboard.`,
  }))
}

export function createTaskNotices(
  { crons, servers }: Pick<Base, 'crons' | 'servers'>,
  { runs, notices }: { runs: Pick<Ledger, 'onClosed'>; notices: Notices },
): Engine {
  let unlisten = () => {}

  function tell(part: ClosedPart) {
    const task = part.kind === 'cron' ? crons.find(part.cronId) : undefined
    const server = servers.find(part.serverId)
    const message = task && server && taskMessage(task, server.name, part)
    if (!message) return
    const { notification_group_id: groupId, owner_id: ownerId } = task
    notices.send({ groupId, ownerId, message, serverId: part.serverId, mute: null })
  }

  return {
    name: 'task-notices',
    async start() {
      unlisten = runs.onClosed(tell)
      for (const message of startMessages(crons.all())) notices.send({ ...message, serverId: null, mute: null })
    },
    async stop() {
      unlisten()
    },
  }
}
