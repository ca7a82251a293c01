import { expect, test } from 'vitest'
import { pagesShown } from './pages.ts'

test.each([
  [1, 1, '1'],
  [3, 5, '1 2 3 4 5'],
  [1, 6, '1 2 … 6'],
  [3, 6, '1 2 3 4 … 6'],
  [4, 6, '1 … 3 4 5 6'],
  [6, 6, '1 … 5 6'],
  [50, 100, '1 … 49 50 51 … 100'],
])('product spec 2: of page %s of %s: %s', (page, count, shown) => {
  expect(
    pagesShown(page, count)
      .map((one) => one ?? '…')
      .join(' '),
  ).toBe(shown)
})
