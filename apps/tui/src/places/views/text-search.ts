import { createState } from '../../screen/state/observed.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { span, spread } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'

export function createTextSearch(options: { lines(): readonly string[]; from(): number; goTo(line: number): void }) {
  const { lines, from, goTo } = options
  const state = createState({ input: null as TextInput | null, query: '', matches: [] as readonly number[], at: -1 })

  const found = () => {
    const wanted = state.query.toLowerCase()
    return wanted === '' ? [] : lines().flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []))
  }
  const search = (text: string) => {
    state.query = text
    state.matches = found()
    const first = state.matches.findIndex((line) => line >= from())
    state.at = state.matches.length === 0 ? -1 : Math.max(0, first)
    if (state.at >= 0) goTo(state.matches[state.at]!)
  }
  return {
    get isTyping() {
      return state.input !== null
    },
    begin() {
      state.input = createTextInput()
    },
    input(event: KeyEvent) {
      if (!state.input) return
      if (event.type !== 'key' || event.chord !== 'Enter') return void state.input.input(event)
      search(state.input.text.trim())
      state.input = null
    },
    grow() {
      const here = state.matches[state.at]
      state.matches = found()
      state.at = here === undefined ? -1 : state.matches.indexOf(here)
    },
    /** Ends typing or search; false if neither. */
    leave() {
      if (!state.input && state.query === '') return false
      if (!state.input) search('')
      state.input = null
      return true
    },
    step(by: 1 | -1) {
      if (state.matches.length === 0) return
      state.at =
        state.at < 0 && by < 0
          ? state.matches.length - 1
          : (state.at + by + state.matches.length) % state.matches.length
      goTo(state.matches[state.at]!)
    },
    matchAt: (line: number) =>
      state.query === ''
        ? 'none'
        : state.matches[state.at] === line
          ? 'here'
          : (lines()[line] ?? '').toLowerCase().includes(state.query.toLowerCase())
            ? 'found'
            : 'none',
    draw(columns: number) {
      if (!state.input && state.query === '') return null
      const text = state.input ? state.input.draw(columns - 20) : [span(state.query)]
      const count = state.input ? '' : `${state.at + 1}/${state.matches.length} `
      return spread(
        [span(' '), span('/', 'muted'), ...text],
        [span(count, state.matches.length > 0 || state.input ? 'muted' : 'bad')],
        columns,
      )
    },
  }
}
