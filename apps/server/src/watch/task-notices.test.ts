import { describe, expect, test } from 'vitest'
import type { CronRow } from '../store/records/rows.ts'
import { startMessages, taskMessage } from './task-notices.ts'

describe('what is told of a task', () => {
  const part = { state: 'success', reason: null, exitCode: 0, output: 'done' } as const
  const failed = { ...part, state: 'failure', exitCode: 3, output: 'oh no' } as const
  const title = '[Scheduled Task Executed Failed] backup, web-1\n'
  test.each([
    ['success that is wanted', true, part, '[Scheduled Task Executed Successfully] backup, web-1\ndone'],
    ['success that is not', false, part, null],
    ['failure always', false, failed, `${title}oh no\nexit status 3`],
    ['failure without output', false, { ...failed, output: '' }, `${title}exit status 3`],
    ['failure whose output ends its line', false, { ...failed, output: 'oh no\n' }, `${title}oh no\nexit status 3`],
    ['failure without a number', false, { ...failed, exitCode: null }, `${title}oh no`],
    [
      'an offline server',
      false,
      { ...part, state: 'no_answer', reason: 'offline' } as const,
      '[Task failed] backup: server web-1 is offline and cannot execute the task',
    ],
    ['a lost answer', true, { ...part, state: 'no_answer', reason: 'lost' } as const, null],
  ])('%s', (_name, push_successful, closed, message) => {
    expect(taskMessage({ name: 'backup', push_successful }, 'web-1', closed)).toBe(message)
  })
})

test('at the start each group hears of its tasks that can never run', () => {
  const task = (id: number, scheduler: string, notification_group_id: number, task_type = 0) =>
    ({ id, scheduler, notification_group_id, task_type, owner_id: 1 }) as CronRow
  const rest = 'These tasks will not execute properly. Fix them in the admin dashboard.'
  expect(
    startMessages([
      task(1, 'never', 5),
      task(2, '0 0 3 * * *', 5),
      task(3, '', 6),
      task(4, '* * *', 5),
      task(5, '', 5, 1),
    ]),
  ).toEqual([
    { groupId: 5, ownerId: 1, message: `Tasks failed to register: [1,4,] ${rest}` },
    { groupId: 6, ownerId: 1, message: `Tasks failed to register: [3,] ${rest}` },
  ])
})
