import { observable } from '@legendapp/state'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'

const page = 8

/** `last`: index of the last row. */
export function createRowFocus(last: () => number) {
  const focus$ = observable(0)
  const move = (by: number) => focus$.set(Math.max(0, Math.min(last(), focus$.get() + by)))
  const moves = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(page),
    PageUp: () => move(-page),
  }
  return { focus$, move, moves, letters: { j: moves.ArrowDown, k: moves.ArrowUp } }
}

export type SearchField = ReturnType<typeof createSearchField>

export function createSearchField({ onText }: { onText(): void }) {
  const input = createTextInput('')
  const isIn$ = observable(false)
  const leave = () => isIn$.set(false)
  const take = (event: KeyEvent) => {
    const chord = event.type === 'key' ? event.chord : null
    const isEmpty = input.text === ''
    if (!isIn$.get() && chord !== '/' && event.type !== 'paste') return
    isIn$.set(true)
    // A double slash is the opening key pressed twice.
    if (chord === '/' && isEmpty) return
    if (chord === 'Backspace' && isEmpty) leave()
    else if (input.input(event)) onText()
  }
  return {
    input,
    isIn$,
    leave,
    take,
    /** `letters` are keys while none is typed. */
    keys: ({ keys, letters }: Record<'keys' | 'letters', Readonly<Record<string, () => void>>>) =>
      isIn$.get() ? keys : { ...letters, ...keys },
  }
}
