import { observable } from '@legendapp/state'
import { plainText } from '@qd/core/fields'
import { widthOf } from '../../base/output/width.ts'
import type { KeyEvent } from './keys.ts'
import { span } from './line.ts'

export type TextInput = ReturnType<typeof createTextInput>

export function createTextInput(start = '') {
  let characters = split(start)
  let cursor = characters.length
  const version$ = observable(0)
  const changed = () => version$.set(version$.peek() + 1)

  const replace = (from: number, to: number, by: readonly string[] = []) => {
    characters = [...characters.slice(0, from), ...by, ...characters.slice(to)]
    cursor = from + by.length
    changed()
    return true
  }
  const move = (to: number) => {
    cursor = Math.max(0, Math.min(characters.length, to))
    changed()
    return true
  }
  const wordStart = () => {
    let at = cursor
    while (at > 0 && characters[at - 1] === ' ') at -= 1
    while (at > 0 && characters[at - 1] !== ' ') at -= 1
    return at
  }
  const keys: Readonly<Record<string, () => boolean>> = {
    Backspace: () => cursor > 0 && replace(cursor - 1, cursor),
    Delete: () => replace(cursor, cursor + 1),
    ArrowLeft: () => move(cursor - 1),
    ArrowRight: () => move(cursor + 1),
    Home: () => move(0),
    End: () => move(characters.length),
    'Ctrl+a': () => move(0),
    'Ctrl+u': () => replace(0, cursor),
    'Ctrl+w': () => replace(wordStart(), cursor),
    Space: () => replace(cursor, cursor, [' ']),
  }
  return {
    get text() {
      version$.get()
      return characters.join('')
    },
    set(text: string) {
      characters = split(text)
      cursor = characters.length
      changed()
    },
    /** Handles a key or paste; false if it isn't an editing key. A paste is one edit (behaviour T-25). */
    input(event: KeyEvent) {
      if (event.type === 'paste')
        return replace(cursor, cursor, split(event.text.slice(0, longestTyped).replaceAll('\n', ' ').trim()))
      if (event.type !== 'key') return false
      const known = keys[event.chord]
      if (known) return known()
      return split(event.chord).length === 1 && replace(cursor, cursor, [event.chord])
    },
    /** The text with its cursor `▁`, scrolled to it. `secret` shows dots. */
    draw(cells: number, { secret = false, focused = true } = {}) {
      version$.get()
      const shown = (from: number, to: number) =>
        characters.slice(Math.max(0, from), to).map((character) => (secret ? '•' : plainText(character)))
      if (!focused) return [span(shown(0, cells + 1).join(''))]
      const before = fromEnd(shown(cursor - cells, cursor), cells - 1)
      return [span(before), span('▁', 'accent'), span(shown(cursor, cursor + cells + 1).join(''))]
    },
  }
}

function fromEnd(characters: readonly string[], cells: number): string {
  let start = characters.length
  let width = 0
  while (start > 0) {
    width += widthOf(characters[start - 1]!)
    if (width > cells) break
    start -= 1
  }
  return characters.slice(start).join('')
}

export const longestTyped = 65_536
export function isTypable(text: string): boolean {
  return text.length <= longestTyped && !text.includes('\n')
}

/** Longer texts are split by code point, because segmentation takes too long. */
const longText = 10_000

function split(text: string): string[] {
  if (text.length > longText) return [...text]
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}
