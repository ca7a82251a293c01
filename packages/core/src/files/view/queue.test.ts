import { expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { createTransferQueue, type TransferReport, type TransferRequest } from './queue.ts'

/** A queue at a time of the test's, and work that goes on when the test says so. */
function setup() {
  const clock = { at: 0 }
  const running: { report: TransferReport; signal: AbortSignal; end(): void; fail(error: unknown): void }[] = []
  const ended: string[] = []
  const queue = createTransferQueue({ now: () => clock.at, onEnd: ({ name, state }) => ended.push(`${name} ${state}`) })
  const request = (name: string, size: number | null = 100): TransferRequest => ({
    direction: 'download',
    name,
    path: `/${name}`,
    size,
    work: (report, signal) =>
      new Promise((resolve, reject) => {
        running.push({ report, signal, end: () => resolve('sum'), fail: reject })
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const states = () => queue.list().map(({ state }) => state)
  return { clock, queue, request, running, ended, settle, states }
}

test('W-26: files go one after the other, and the total counts all of them', async () => {
  const { queue, request, running, ended, settle, states, clock } = setup()
  queue.add([request('a'), request('b', 300)])
  expect(states()).toEqual(['running', 'waiting'])
  clock.at = 1000
  running[0]!.report.moved(50)
  expect(queue.total(1000)).toEqual({ count: 2, done: 0, size: 400, moved: 50, rate: 50, leftMs: 7000 })
  expect(queue.pace(1, 1000)).toEqual({ rate: 50, leftMs: 1000, stalled: false })
  running[0]!.end()
  await settle()
  expect(states()).toEqual(['done', 'running'])
  expect(queue.list()[0]!.result).toBe('sum')
  expect(queue.isBusy()).toBe(true)
  running[1]!.end()
  await settle()
  expect(ended).toEqual(['a done', 'b done'])
  expect(queue.isBusy()).toBe(false)
})

test('W-25: one can be cancelled and the rest goes on; all can be cancelled', async () => {
  const { queue, request, running, settle, states } = setup()
  const [first] = queue.add([request('a'), request('b'), request('c')])
  queue.cancel(first!)
  await settle()
  expect(running[0]!.signal.aborted).toBe(true)
  expect(states()).toEqual(['cancelled', 'running', 'waiting'])
  queue.cancelAll()
  await settle()
  expect(states()).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(running).toHaveLength(2)
  queue.clear()
  expect(queue.list()).toEqual([])
})

test('W-28: what failed says why, and begins again at the start', async () => {
  const { queue, request, running, settle, states } = setup()
  const [id] = queue.add([request('a'), request('b')])
  running[0]!.report.moved(40)
  running[0]!.fail(new AppError('failed', { text: 'no space left on device' }))
  await settle()
  expect(queue.list()[0]).toMatchObject({ state: 'failed', moved: 40 })
  expect(queue.list()[0]!.error!.params.text).toBe('no space left on device')
  expect(queue.total(0)).toMatchObject({ count: 2, done: 0 })
  queue.retry(id!)
  expect(states()).toEqual(['waiting', 'running'])
  running[1]!.end()
  await settle()
  expect(queue.list()[0]).toMatchObject({ state: 'running', moved: 0, error: null })
})

test('W-28: everything that failed begins again at once; where nothing failed, what was cancelled does', async () => {
  const { queue, request, running, settle, states } = setup()
  const [, , third] = queue.add([request('a'), request('b'), request('c')])
  queue.cancel(third!)
  running[0]!.fail(new AppError('failed', { text: 'gone' }))
  await settle()
  running[1]!.fail(new AppError('failed', { text: 'gone' }))
  await settle()
  expect(states()).toEqual(['failed', 'failed', 'cancelled'])
  queue.retryAll()
  expect(states()).toEqual(['running', 'waiting', 'cancelled'])
  running[2]!.end()
  await settle()
  running[3]!.end()
  await settle()
  expect(states()).toEqual(['done', 'done', 'cancelled'])
  queue.retryAll()
  expect(states()).toEqual(['done', 'done', 'running'])
})

test('N-14: a transfer without a byte for 15 s stands still', () => {
  const { queue, request, running, clock } = setup()
  queue.add([request('a', null)])
  clock.at = 1000
  running[0]!.report.moved(10)
  expect(queue.pace(1, 15_999).stalled).toBe(false)
  expect(queue.pace(1, 16_000)).toEqual({ rate: null, leftMs: null, stalled: true })
  expect(queue.total(1000).size).toBeNull()
})
