import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { readText } from './request.ts'

afterEach(() => void vi.useRealTimers())

test('issue 37.3 a body that is not whole after 30 s is cut', async () => {
  vi.useFakeTimers()
  const incoming = Object.assign(new PassThrough(), { headers: {} })
  const text = readText(incoming, 1000)
  const failed = expect(text).rejects.toMatchObject({ code: 'cancelled' })
  incoming.write('{')
  vi.advanceTimersByTime(29_999)
  expect(incoming.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(incoming.destroyed).toBe(true)
  await failed
})
