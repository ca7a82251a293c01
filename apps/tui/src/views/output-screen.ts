import type { ReportLine, Resource } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { run } from '@qd/core/resources'
import { copy } from '../app/copy.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { wordRole } from '../fields/marks.ts'
import { type Line, line, wrapText } from '../terminal/line.ts'
import type { Role } from '../terminal/roles.ts'
import { outputLines } from './run-draw.ts'

interface Text {
  readonly text: string
  readonly role: Role
}

/** All of an output, to scroll through from its end. `cutBytes` is what the server left out of it. */
export function createOutputScreen(
  ui: Ui,
  { title, text, cutBytes }: { title: string; text: string; cutBytes: number },
): Screen {
  const { t } = ui.desk.translator
  const lines = outputLines({ output: text })
  const cut = cutBytes > 0 ? [t('ui.run.cut', { count: cutBytes })] : []
  return createTextScreen(ui, {
    place: [title, t('ui.run.output')],
    count: t('ui.tui.run.lines', { count: lines.length }),
    resource: run,
    lines: [...lines, ...cut].map((one) => ({ text: one, role: 'text' })),
    copied: plainLines(text),
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
    lines: lines.map(({ text, tone }) => ({ text: plainText(text), role: wordRole[tone] })),
    copied: lines.map(({ text }) => plainText(text)).join('\n'),
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
    copied,
    isAtEnd,
  }: {
    place: readonly string[]
    count: string
    resource: Resource
    lines: readonly Text[]
    copied: string
    isAtEnd: boolean
  },
): Screen {
  const { t } = ui.desk.translator
  let top = isAtEnd ? Math.max(0, lines.length - 1) : 0
  let height = 10
  let wrapped: { columns: number; lines: readonly Text[] } = { columns: 0, lines: [] }

  const scroll = (by: number) => {
    top = Math.max(0, Math.min(wrapped.lines.length - height, top + by))
  }
  const steps: Readonly<Record<string, () => void>> = {
    next: () => scroll(1),
    previous: () => scroll(-1),
    pageDown: () => scroll(height - 1),
    pageUp: () => scroll(1 - height),
    first: () => scroll(-wrapped.lines.length),
    last: () => scroll(wrapped.lines.length),
    copyMenu: () => copy(ui, copied),
  }
  return {
    key: `text:${place.join('/')}`,
    layer: 'page',
    resource,
    place: () => place,
    count: () => count,
    summary: () => [],
    isTyping: () => false,
    hints: () => [
      { chord: 'j', label: t('ui.tui.hints.scroll') },
      { chord: 'y', label: t('ui.tui.hints.copy') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command }) {
      const step = steps[command]
      step?.()
      ui.changed()
      return step !== undefined || command.startsWith('action:')
    },
    input: () => undefined,
    escape: () => false,
    spoken: () => lines.map(({ text }) => text),
    enter: () => () => undefined,
    cliLine: () => null,
    draw({ columns, rows }) {
      height = rows
      if (wrapped.columns !== columns) {
        const all = lines.flatMap(({ text, role }) => wrapText(text, columns - 2).map((one) => ({ text: one, role })))
        wrapped = { columns, lines: all }
      }
      top = Math.max(0, Math.min(top, wrapped.lines.length - height))
      return wrapped.lines.slice(top, top + rows).map(({ text, role }): Line => line(` ${text}`, role))
    },
  }
}
