import type { ReportLine, Resource } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { run } from '@qd/core/resources'
import { wordRole } from '../fields/marks.ts'
import { useArea } from '../hooks/use-area.ts'
import { useBeat } from '../hooks/use-beat.ts'
import { copy } from '../state/copy.ts'
import type { Screen } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { type Line, line } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'
import { Rows } from '../ui/Rows.tsx'
import { outputLines } from './output-tail.ts'
import { createTextScroll } from './text-scroll.ts'
import { createTextSearch } from './text-search.ts'

/** Most lines that are read aloud, the last ones. */
const spokenLines = 1000

/** All of an output, to scroll through from its end. `cutBytes` is what the server left out of it. */
export function createOutputScreen(
  ui: Ui,
  { title, text, cutBytes }: { title: string; text: string; cutBytes: number },
): Screen {
  const { t } = ui.workspace.translator
  const lines = outputLines(text)
  const cut = cutBytes > 0 ? [t('ui.run.cut', { count: cutBytes })] : []
  return createTextScreen(ui, {
    place: [title, t('ui.run.output')],
    count: t('ui.tui.run.lines', { count: lines.length }),
    resource: run,
    lines: [...lines, ...cut],
    roleOf: () => 'text',
    copied: () => plainLines(text),
    isAtEnd: true,
  })
}

/** What an action found out, to be read. */
export function createReportScreen(
  ui: Ui,
  { resource, place, lines }: { resource: Resource; place: readonly string[]; lines: readonly ReportLine[] },
): Screen {
  return createTextScreen(ui, {
    place,
    count: '',
    resource,
    lines: lines.map(({ text }) => plainText(text)),
    roleOf: (index) => wordRole[lines[index]!.tone],
    copied: () => lines.map(({ text }) => plainText(text)).join('\n'),
    isAtEnd: false,
  })
}

function createTextScreen(
  ui: Ui,
  {
    place,
    count,
    resource,
    lines,
    roleOf,
    copied,
    isAtEnd,
  }: {
    place: readonly string[]
    count: string
    resource: Resource
    lines: readonly string[]
    roleOf(index: number): Role
    copied(): string
    isAtEnd: boolean
  },
): Screen {
  const { t } = ui.workspace.translator
  const view = createTextScroll(lines, { isAtEnd })
  const search = createTextSearch({ lines, from: view.line, goTo: view.goTo })
  let height = 10
  const match = (by: 1 | -1) => {
    search.step(by)
    ui.changed()
    return true
  }
  const lookOf = (at: number): Role =>
    ({ none: roleOf(at), found: 'accent' as const, here: 'warnWord' as const })[search.standing(at)]
  const steps: Readonly<Record<string, () => void>> = {
    next: () => view.scroll(1),
    previous: () => view.scroll(-1),
    pageDown: () => view.scroll(height - 1),
    pageUp: () => view.scroll(1 - height),
    halfDown: () => view.scroll(Math.ceil(height / 2)),
    halfUp: () => view.scroll(-Math.ceil(height / 2)),
    filter: search.begin,
    first: view.first,
    last: view.last,
    copyMenu: () => copy(ui, copied()),
  }
  function Shown() {
    useBeat()
    const { columns, rows } = useArea()
    const searched = search.draw(columns)
    height = searched ? rows - 1 : rows
    view.resize(columns - 2, height)
    const shown = view.rows().map((row): Line => line(` ${row.text}`, lookOf(row.line)))
    return <Rows lines={searched ? [searched, ...shown] : shown} />
  }
  return {
    key: `text:${place.join('/')}`,
    layer: 'page',
    resource,
    place: () => place,
    count: () => count,
    summary: () => [],
    isTyping: () => search.isTyping,
    hints: () => [
      { chord: 'j', label: t('ui.tui.hints.scroll') },
      { chord: '/', label: t('ui.tui.hints.search') },
      { chord: 'n', label: t('ui.tui.hints.nextMatch') },
      { chord: 'y', label: t('ui.tui.hints.copy') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command, chord }) {
      // Here a capital letter orders nothing: `N` is the match before.
      if (command.startsWith('sort:')) return chord === 'N' && match(-1)
      const step = steps[command]
      step?.()
      ui.changed()
      return step !== undefined || command.startsWith('action:')
    },
    input(event) {
      if (search.isTyping) search.input(event)
      else if (event.type === 'key' && event.chord === 'n') match(1)
      else if (event.type === 'key' && event.chord === 'N') match(-1)
      ui.changed()
    },
    escape() {
      const isLeft = search.leave()
      if (isLeft) ui.changed()
      return isLeft
    },
    spoken: () => lines.slice(-spokenLines).map(plainText),
    enter: () => () => undefined,
    cliLine: () => null,
    view: () => <Shown />,
  }
}
