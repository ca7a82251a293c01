import type { Cancel } from '@qd/core/api'
import type { ReportLine, Resource } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { run } from '@qd/core/resources'
import { wordRole } from '../../screen/fields/marks.ts'
import { keyText } from '../../screen/state/actions.ts'
import { copy } from '../../screen/state/copy.ts'
import { createKept } from '../../screen/state/kept.ts'
import { createState } from '../../screen/state/observed.ts'
import { type Area, type Commands, type Hints, hintsIf, type Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { filledTo, type Line, line, span, spokenCells, spokenLine, spread } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { stepCommands } from './steps.ts'
import { createTextScroll, outputLines } from './text-scroll.ts'

function createTextSearch(options: { lines(): readonly string[]; from(): number; goTo(line: number): void }) {
  const { lines, from, goTo } = options
  const state = createState({ input: null as TextInput | null, query: '', matches: [] as readonly number[], at: -1 })

  const isFound = (line: string) => state.query !== '' && line.toLowerCase().includes(state.query.toLowerCase())
  const find = () => {
    state.matches = lines().flatMap((line, index) => (isFound(line) ? [index] : []))
  }
  const goToMatch = (at: number) => {
    const { length } = state.matches
    state.at = length === 0 ? -1 : (at + length) % length
    if (state.at >= 0) goTo(state.matches[state.at]!)
  }
  const search = (text: string) => {
    state.input = null
    state.query = text
    find()
    goToMatch(
      Math.max(
        0,
        state.matches.findIndex((line) => line >= from()),
      ),
    )
  }
  return {
    get isTyping() {
      return state.input !== null
    },
    begin() {
      state.input = createTextInput()
    },
    input(event: KeyEvent) {
      if (event.type === 'key' && event.chord === 'Enter') search(state.input?.text.trim() ?? '')
      else state.input?.input(event)
    },
    grow() {
      const here = state.matches[state.at]
      find()
      state.at = here === undefined ? -1 : state.matches.indexOf(here)
    },
    /** Ends typing or search; false if neither. */
    leave() {
      const isOn = state.input !== null || state.query !== ''
      if (state.input) state.input = null
      else search('')
      return isOn
    },
    step: (by: 1 | -1) => goToMatch(state.at < 0 && by > 0 ? 0 : Math.max(state.at, 0) + by),
    /** How a line that is found looks; null for others. */
    roleOf(line: number): Role | null {
      if (state.matches[state.at] === line) return 'warnWord'
      return isFound(lines()[line] ?? '') ? 'accent' : null
    },
    draw(columns: number): Line | null {
      const { input, query, at, matches } = state
      if (input) return spread([span(' '), span('/', 'muted'), ...input.draw(columns - 20)], [], columns)
      if (query === '') return null
      const count = span(`${at + 1}/${matches.length} `, matches.length > 0 ? 'muted' : 'bad')
      return spread([span(' '), span('/', 'muted'), span(query)], [count], columns)
    },
  }
}

const spokenLines = 1000

/** Starts at its end and follows new output like `less +F`. */
export function createOutputScreen(
  ui: Ui,
  parts: {
    title: string
    output(): { readonly output: string; readonly cut_bytes: number }
    isOpen(): boolean
    statusLine(): Line
    enter(): Cancel
  },
): Screen {
  const { t } = ui.workspace
  const lines = createKept<readonly string[]>()
  return createTextScreen(ui, {
    place: [parts.title, t('ui.run.output')],
    resource: run,
    lines() {
      const { output, cut_bytes } = parts.output()
      const cut = cut_bytes > 0 ? [t('ui.run.cut', { count: cut_bytes })] : []
      return lines([output, cut_bytes], () => [...outputLines(output), ...cut])
    },
    copied: () => plainLines(parts.output().output),
    live: parts,
  })
}

export function createReportScreen(
  ui: Ui,
  { resource, place, lines }: { resource: Resource; place: readonly string[]; lines: readonly ReportLine[] },
): Screen {
  const shown = lines.map(({ text }) => plainText(text))
  return createTextScreen(ui, {
    place,
    resource,
    lines: () => shown,
    roleOf: (index) => wordRole[lines[index]!.tone],
  })
}

/** A text at this place of its line, such as the name of a server. */
export interface TextPart {
  readonly at: number
  readonly text: string
  readonly role: Role
}

/** A row of a line behind a blank; only the row that has the part there shows it. */
export function partedLine(row: string, role: Role, part?: TextPart | null): Line {
  const at = part ? part.at + 1 : 0
  if (!part || !row.startsWith(part.text, at)) return line(row, role)
  return [span(row.slice(0, at), role), span(part.text, part.role), span(row.slice(at + part.text.length), role)]
}

/** A text to read, which may grow. `more`: its own commands and their hints. */
export function createTextScreen(
  ui: Ui,
  text: {
    place: readonly string[]
    resource: Resource | null
    /** Same array until text is added. */
    lines(): readonly string[]
    roleOf?(index: number): Role
    partOf?(index: number): TextPart | null
    /** Default: the lines. */
    copied?(): string
    /** For growing texts, read from their end. */
    live?: { isOpen(): boolean; statusLine(columns: number): Line; enter(): Cancel }
    more?: { commands: Commands; hints: Hints }
  },
): Screen {
  const { place, resource, lines, roleOf, partOf, copied = () => lines().join('\n'), live, more } = text
  const { t } = ui.workspace
  let drawn = lines()
  const view = createTextScroll(drawn, { isAtEnd: live !== undefined })
  const search = createTextSearch({ lines, from: view.line, goTo: view.goTo })
  let height = 10
  const state = createState({ isFollowing: live?.isOpen() ?? false })
  /** Number of lines when the end was last visible. */
  let seen = drawn.length
  const scroll = (by: number) => {
    view.scroll(by)
    if (by < 0) state.isFollowing = false
  }
  const follow = () => {
    view.last()
    state.isFollowing = live?.isOpen() ?? false
  }
  const goToRow = (number: number) => {
    state.isFollowing = false
    view.goTo(Math.min(number, drawn.length) - 1)
  }
  const match = (by: 1 | -1) => {
    state.isFollowing = false
    search.step(by)
  }
  const settle = () => {
    const now = lines()
    if (now !== drawn) {
      drawn = now
      view.grow(now)
      search.grow()
    }
  }
  const lastRow = (columns: number): Line => {
    const more = drawn.length - seen
    const right: Line =
      state.isFollowing && live!.isOpen()
        ? [span(`${t('ui.files.look.following')} `, 'accent')]
        : more > 0
          ? [span(`↓ ${t('ui.tui.run.more', { count: more, key: keyText(ui, 'G') })} `, 'warnWord')]
          : []
    return spread(live!.statusLine(columns), right, columns)
  }
  const roleAt = (at: number): Role => search.roleOf(at) ?? roleOf?.(at) ?? 'plain'
  const steps: Commands = {
    ...stepCommands(scroll, () => height),
    filter: search.begin,
    findNext: () => match(1),
    findPrevious: () => match(-1),
    first() {
      view.first()
      state.isFollowing = false
    },
    last: follow,
    follow,
    ...(more ? more.commands : { copyMenu: () => copy(ui, copied()) }),
  }
  const shownLines = ({ columns, rows }: Area): readonly Line[] => {
    settle()
    const searched = search.draw(columns)
    height = Math.max(1, rows - (searched ? 1 : 0) - (live ? 1 : 0))
    view.resize(columns - 2, height)
    if (state.isFollowing) view.last()
    if (view.isAtEnd()) seen = drawn.length
    const shown = view.rows().map((row) => partedLine(` ${row.text}`, roleAt(row.line), partOf?.(row.line)))
    const below = live ? [...filledTo(height, shown), lastRow(columns)] : shown
    return [...(searched ? [searched] : []), ...below].slice(0, rows)
  }
  return {
    key: `text:${place.join('/')}`,
    layer: 'page',
    resource,
    commands: steps,
    searches: () => true,
    isText: true,
    place: () => place,
    count: () => (live ? t('ui.tui.run.lines', { count: lines().length }) : ''),
    isTyping: () => search.isTyping,
    hints: () => ({
      j: 'scroll',
      ...hintsIf(live?.isOpen(), { F: 'follow' }),
      ...{ '/': 'search', n: 'nextMatch', ...more?.hints, y: 'copy', Escape: 'back' },
    }),
    goToRow,
    input(event) {
      if (!search.isTyping) return
      search.input(event)
      if (!search.isTyping) state.isFollowing = false
    },
    escape: search.leave,
    spoken: () => [
      ...lines().slice(-spokenLines).map(plainText),
      ...(live ? [spokenLine(live.statusLine(spokenCells))] : []),
    ],
    enter: live?.enter ?? (() => () => undefined),
    View: () => <LiveRows lines={shownLines} />,
  }
}
