import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { InTurn, useWaiting } from './InTurn.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Part({ name, isWaiting = false }: { name: string; isWaiting?: boolean }) {
  useWaiting(isWaiting)
  return <p>{name}</p>
}

const page = (isWaiting: boolean) => (
  <InTurn>
    <Part name="above" />
    <Part name="incidents" isWaiting={isWaiting} />
    <Part name="notes" />
  </InTurn>
)

const shown = () => ['above', 'incidents', 'notes'].filter((name) => isVisible(screen.getByText(name)))
const isVisible = (element: Element) => getComputedStyle(element.parentElement!).visibility !== 'hidden'

test('what follows a part that waits for its answer comes with the answer, and is not pushed down by it', () => {
  const { rerender } = render(page(true))
  expect(shown()).toEqual(['above', 'incidents'])
  rerender(page(false))
  expect(shown()).toEqual(['above', 'incidents', 'notes'])
  rerender(page(true))
  expect(shown()).toEqual(['above', 'incidents'])
})

test('a part whose answer does not come hides what follows for three seconds', () => {
  vi.useFakeTimers()
  render(page(true))
  act(() => void vi.advanceTimersByTime(2900))
  expect(shown()).toEqual(['above', 'incidents'])
  act(() => void vi.advanceTimersByTime(200))
  expect(shown()).toEqual(['above', 'incidents', 'notes'])
})
