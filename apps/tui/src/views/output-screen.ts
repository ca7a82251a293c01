import { plainLines } from '@qd/core/fields'
import { run } from '@qd/core/resources'
import { copy } from '../app/copy.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { type Line, line, wrapText } from '../terminal/line.ts'
import { outputLines } from './run-draw.ts'

/** All of an output, to scroll through. `cutBytes` is what the server left out of it. */
export function createOutputScreen(
  ui: Ui,
  { title, text, cutBytes }: { title: string; text: string; cutBytes: number },
): Screen {
  const { t } = ui.desk.translator
  const lines = outputLines({ output: text })
  let top = Math.max(0, lines.length - 1)
  let height = 10
  let wrapped: { columns: number; lines: string[] } = { columns: 0, lines: [] }

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
    copyMenu: () => copy(ui, plainLines(text)),
  }
  return {
    key: `output:${title}`,
    layer: 'page',
    resource: run,
    place: () => [title, t('ui.run.output')],
    count: () => t('ui.tui.run.lines', { count: lines.length }),
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
    spoken: () => lines,
    enter: () => () => undefined,
    cliLine: () => null,
    draw({ columns, rows }) {
      height = rows
      if (wrapped.columns !== columns) {
        const cut = cutBytes > 0 ? [t('ui.run.cut', { count: cutBytes })] : []
        wrapped = { columns, lines: [...lines.flatMap((one) => wrapText(one, columns - 2)), ...cut] }
      }
      top = Math.max(0, Math.min(top, wrapped.lines.length - height))
      return wrapped.lines.slice(top, top + rows).map((one): Line => line(` ${one}`))
    },
  }
}
