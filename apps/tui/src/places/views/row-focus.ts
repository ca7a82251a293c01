import { type Observable, observable } from '@legendapp/state'

/** Rows that a page key moves by. */
const page = 8

/** Which row of a list has the focus, and the keys that move it; the list may change meanwhile. */
export interface RowFocus {
  readonly focus$: Observable<number>
  move(by: number): void
  readonly moves: Readonly<Record<string, () => void>>
  /** The letters that move it where none are typed. */
  readonly letters: Readonly<Record<string, () => void>>
}

/** `last`: the last row that may have it. */
export function createRowFocus(last: () => number): RowFocus {
  const focus$ = observable(0)
  const move = (by: number) => focus$.set(Math.max(0, Math.min(last(), focus$.peek() + by)))
  const moves = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(page),
    PageUp: () => move(-page),
  }
  return { focus$, move, moves, letters: { j: moves.ArrowDown, k: moves.ArrowUp } }
}
