import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Grid, GridRow, type MoveFocus } from './Grid.tsx'

afterEach(cleanup)

const count = 10_000
const rowHeight = 20
const seen = 200

function setUp(ids = Array.from({ length: count }, (_, index) => index + 1)) {
  // jsdom lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(seen)
  const move = createRef<MoveFocus | null>()
  const onPress = vi.fn()
  const onMark = vi.fn()
  const grid = (shown: readonly number[]) => (
    <Grid
      label="Servers"
      ids={shown}
      rowHeight={rowHeight}
      head={<span>Name</span>}
      move={move}
      row={(place) => (
        <GridRow
          place={place}
          height={rowHeight}
          isSelected={place.id === 2}
          onPress={() => onPress(place.id)}
          onMark={() => onMark(place.id)}
        >
          web-{place.id}
          <button type="button">more</button>
        </GridRow>
      )}
    />
  )
  const { rerender } = render(grid(ids))
  return { move, onPress, onMark, list: screen.getByRole('grid'), show: (shown: number[]) => rerender(grid(shown)) }
}

const drawn = () => [...document.querySelectorAll('[data-key]')].map((row) => Number(row.getAttribute('data-key')))
const focused = () => Number(document.activeElement?.getAttribute('data-key'))

test('issue 17: only rows in sight are drawn, and the one that Tab comes to', () => {
  const { list } = setUp()
  expect(list.getAttribute('aria-rowcount')).toBe(String(count + 1))
  expect(drawn()[0]).toBe(1)
  expect(drawn().length).toBeLessThan(30)
  list.scrollTop = 5000 * rowHeight
  fireEvent.scroll(list)
  expect(drawn()).toContain(5001)
  expect(drawn()).toContain(5000 + seen / rowHeight)
  expect(drawn().length).toBeLessThan(40)
  expect(drawn()[0]).toBe(1)
  expect(screen.getByText('web-5001').getAttribute('aria-rowindex')).toBe('5002')
})

test('issue 17: the focus goes to any row and stays with it, and the row is in sight', () => {
  const { move, list, show } = setUp()
  act(() => move.current!(3))
  expect([focused(), list.scrollTop]).toEqual([3, 0])
  act(() => move.current!(8000))
  expect(focused()).toBe(8000)
  const bottom = 8000 * rowHeight - list.scrollTop
  expect(bottom).toBeGreaterThan(0)
  expect(bottom).toBeLessThanOrEqual(seen)
  // Scrolled away by hand it stays focused, and new rows do not bring it back.
  list.scrollTop = 0
  fireEvent.scroll(list)
  expect(focused()).toBe(8000)
  show([1, 2, 3, 8000])
  expect(list.scrollTop).toBe(0)
})

test('issue 12.4: a row with the focus that gets another place is followed there', () => {
  const { move, list, show } = setUp()
  act(() => move.current!(3))
  show([...Array.from({ length: 100 }, (_, index) => index + 10), 3])
  expect(focused()).toBe(3)
  expect(list.scrollTop).toBeGreaterThan(0)
})

test('a press on a row is the row’s, one on what is in it is not; the space bar marks', async () => {
  const { onPress, onMark } = setUp([1, 2])
  const user = userEvent.setup()
  const [first, second] = screen.getAllByRole('row').slice(1)
  expect([first, second].map((row) => row!.getAttribute('aria-selected'))).toEqual(['false', 'true'])
  await user.click(second!)
  expect(onPress).toHaveBeenCalledWith(2)
  await user.click(screen.getAllByRole('button', { name: 'more' })[0]!)
  await user.keyboard(' ')
  expect(onPress).toHaveBeenCalledTimes(1)
  expect(onMark).not.toHaveBeenCalled()
  act(() => second!.focus())
  await user.keyboard(' ')
  expect(onMark).toHaveBeenCalledWith(2)
})

const elementOf = (id: number) => document.querySelector(`[data-key="${id}"]`)

test('issue 40: new rows take over the elements of those that are gone, in order, and no others move', () => {
  const { list, show } = setUp()
  const before = [...list.querySelectorAll('[data-key]')]
  show(Array.from({ length: count }, (_, index) => count + index))
  expect([...list.querySelectorAll('[data-key]')]).toEqual(before)
  expect(elementOf(count + 3)?.textContent).toContain(`web-${count + 3}`)
  const kept = elementOf(count + 3)
  show([count + 3, 7, 8])
  expect([drawn(), elementOf(count + 3) === kept]).toEqual([[count + 3, 7, 8], true])
})

test('issue 40: no row takes over the element of the row that is pressed or has the focus', () => {
  const { move, show } = setUp([1, 2, 3])
  act(() => move.current!(1))
  fireEvent.pointerDown(screen.getAllByRole('button', { name: 'more' })[1]!)
  const [focused, pressed, free] = [1, 2, 3].map(elementOf)
  show([4, 5, 6])
  expect([focused, pressed, free].map((element) => element!.isConnected)).toEqual([false, false, true])
  expect([elementOf(4) === free, document.activeElement]).toEqual([true, document.body])
})
