import { defined } from '../errors/index.ts'

/** Up to this many pages are all shown (product spec 2). */
const allUpTo = 5

/** The pages of a pager: all of few, else the first, the last and those around the current one; null is a gap. */
export function pagesShown(page: number, count: number): readonly (number | null)[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (count <= allUpTo) return all
  const shown = all.filter((one) => one === 1 || one === count || Math.abs(one - page) <= 1)
  return shown.flatMap((one, index) => (index > 0 && one - defined(shown[index - 1]) > 1 ? [null, one] : [one]))
}
