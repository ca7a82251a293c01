import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { type Line, span, spread } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'

/** `/`, `n` and `N` in a long text, as in less. */
export interface TextSearch {
  readonly isTyping: boolean
  begin(): void
  /** A key or a paste of the text that is searched for. */
  input(event: KeyEvent): void
  /** The text has more at its end now: what is found there is among the matches. */
  grow(): void
  /** Ends the typing, or the search; false if there was neither. */
  leave(): boolean
  /** Goes to the match after the present one, or before it, around the ends. */
  step(by: 1 | -1): void
  /** Whether a line is found, and whether it is the one that was gone to. */
  matchAt(line: number): 'none' | 'found' | 'here'
  /** The line with what is searched for; null while there is nothing. */
  draw(columns: number): Line | null
}

/** A search that looks for nothing yet; `goTo` shows a line, `from` is the first one in sight. */
export function createTextSearch(options: {
  lines(): readonly string[]
  from(): number
  goTo(line: number): void
}): TextSearch {
  const { lines, from, goTo } = options
  let input: TextInput | null = null
  let query = ''
  let matches: readonly number[] = []
  let at = -1

  const found = () => {
    const wanted = query.toLowerCase()
    return wanted === '' ? [] : lines().flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []))
  }
  const search = (text: string) => {
    query = text
    matches = found()
    const first = matches.findIndex((line) => line >= from())
    at = matches.length === 0 ? -1 : Math.max(0, first)
    if (at >= 0) goTo(matches[at]!)
  }
  return {
    get isTyping() {
      return input !== null
    },
    begin() {
      input = createTextInput()
    },
    input(event) {
      if (!input) return
      if (event.type !== 'key' || event.chord !== 'Enter') return void input.input(event)
      search(input.text.trim())
      input = null
    },
    grow() {
      const here = matches[at]
      matches = found()
      at = here === undefined ? -1 : matches.indexOf(here)
    },
    leave() {
      if (!input && query === '') return false
      if (!input) search('')
      input = null
      return true
    },
    step(by) {
      if (matches.length === 0) return
      at = at < 0 && by < 0 ? matches.length - 1 : (at + by + matches.length) % matches.length
      goTo(matches[at]!)
    },
    matchAt: (line) =>
      query === ''
        ? 'none'
        : matches[at] === line
          ? 'here'
          : (lines()[line] ?? '').toLowerCase().includes(query.toLowerCase())
            ? 'found'
            : 'none',
    draw(columns) {
      if (!input && query === '') return null
      const text = input ? input.draw(columns - 20) : [span(query)]
      const count = input ? '' : `${at + 1}/${matches.length} `
      return spread(
        [span(' '), span('/', 'muted'), ...text],
        [span(count, matches.length > 0 || input ? 'muted' : 'bad')],
        columns,
      )
    },
  }
}
