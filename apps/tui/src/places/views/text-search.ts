import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { span, spread } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'

export function createTextSearch(options: { lines(): readonly string[]; from(): number; goTo(line: number): void }) {
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
    input(event: KeyEvent) {
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
    /** Ends typing or search; false if neither. */
    leave() {
      if (!input && query === '') return false
      if (!input) search('')
      input = null
      return true
    },
    /** To the next or previous match, wrapping around. */
    step(by: 1 | -1) {
      if (matches.length === 0) return
      at = at < 0 && by < 0 ? matches.length - 1 : (at + by + matches.length) % matches.length
      goTo(matches[at]!)
    },
    /** `here`: the current match. */
    matchAt: (line: number) =>
      query === ''
        ? 'none'
        : matches[at] === line
          ? 'here'
          : (lines()[line] ?? '').toLowerCase().includes(query.toLowerCase())
            ? 'found'
            : 'none',
    draw(columns: number) {
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
