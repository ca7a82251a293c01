import type { Task } from '@qd/protocol/agent'
import { expect, test } from 'vitest'
import { toExitText } from '../tasks/command.ts'
import { createTaskRunner, type TaskHandler } from './runner.ts'

const task: Task = { id: 5n, type: 4n, data: '' }
const run = async (handler: TaskHandler | undefined, isOurs = false) => {
  const sent: object[] = []
  const failures: unknown[] = []
  const handlers = new Map(handler ? [[4n, handler]] : [])
  createTaskRunner(handlers, (error) => failures.push(error))(task, {
    isOurs,
    send: (result) => sent.push(result),
    openStream: () => {
      throw new Error('no streams here')
    },
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { sent, failures }
}

test('the reply bears the id and type of the task', async () => {
  const { sent } = await run((_task, { reply }) => reply({ successful: true, data: 'x' }))
  expect(sent).toEqual([{ id: 5n, type: 4n, successful: true, data: 'x' }])
})

test('an unknown type gets no reply', async () => {
  expect(await run(undefined)).toEqual({ sent: [], failures: [] })
})

test('a handler that fails gets no reply and does not end the agent', async () => {
  const { sent, failures } = await run(() => Promise.reject(new Error('broken')))
  expect([sent.length, failures.length]).toEqual([0, 1])
})

test('progress goes only to a server that understands it', async () => {
  const handler: TaskHandler = (_task, { progress }) => progress?.(1004n, '')
  expect((await run(handler)).sent).toEqual([])
  expect((await run(handler, true)).sent).toEqual([{ id: 5n, type: 1004n, data: '' }])
})

test.each([
  [{ code: 3 }, 'exit status 3'],
  [{ signal: 'SIGKILL' }, 'signal: killed'],
  [{ signal: 'SIGSEGV' }, 'signal: segmentation fault'],
  [{ signal: 'SIGSYS' }, 'signal: SIGSYS'],
  [{ error: 'spawn sh ENOENT' }, 'spawn sh ENOENT'],
])('%j in the words of existing agents', (end, text) => {
  expect(toExitText(end)).toBe(text)
})
