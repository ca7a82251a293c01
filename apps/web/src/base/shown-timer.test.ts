import { afterEach, expect, test, vi } from 'vitest'
import { setShownTimer } from './ports.ts'

let isHidden = false
const show = (now: boolean) => {
  isHidden = !now
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => {
  isHidden = false
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what only matters on screen waits while the page is hidden, and runs once when it is shown', () => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden)
  const run = vi.fn()
  setShownTimer(run, 1_000)
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledTimes(1)
  show(false)
  setShownTimer(run, 1_000)
  const cancel = setShownTimer(run, 1_000)
  vi.advanceTimersByTime(60_000)
  expect(run).toHaveBeenCalledTimes(1)
  cancel()
  show(false)
  show(true)
  show(true)
  expect(run).toHaveBeenCalledTimes(2)
})
