import { type Observable, observable } from '@legendapp/state'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'

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

/** The search line of a list to choose from. `/` goes into it; outside of it, letters are keys. */
export interface SearchField {
  readonly input: TextInput
  /** Whether keys go into the text. */
  readonly isIn$: Observable<boolean>
  leave(): void
  /** Takes a key or a paste that belongs to the field; false for all others. */
  take(event: KeyEvent): boolean
}

/** Makes one, with what was typed to open it; `onText` hears each change of the text. */
export function createSearchField({ typed = '', onText }: { typed?: string; onText(): void }): SearchField {
  const input = createTextInput(typed)
  const isIn$ = observable(typed !== '')
  const leave = () => isIn$.set(false)
  return {
    input,
    isIn$,
    leave,
    take(event) {
      const chord = event.type === 'key' ? event.chord : null
      const isEmpty = input.text === ''
      if (!isIn$.peek() && chord !== '/' && event.type !== 'paste') return false
      isIn$.set(true)
      // A slash in front is the key that led here, typed twice.
      if (chord === '/' && isEmpty) return true
      if (chord === 'Backspace' && isEmpty) leave()
      else if (input.input(event)) onText()
      else return false
      return true
    },
  }
}
