import { useArea, useValue } from '../../screen/hooks.ts'
import { copy } from '../../screen/state/copy.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line, wrapText } from '../../screen/terminal/line.ts'
import { Dialog, frameCells, Gap, Paragraph } from '../../screen/ui/Dialog.tsx'
import { Rows } from '../../screen/ui/rows.tsx'
import { createTextScroll, outputLines } from './text-scroll.ts'

export interface ShownText {
  readonly title: string
  readonly help: string
  readonly text: string
  /** Below the text, as it is now; tracked. */
  readonly status?: () => string
  readonly close: string
  /** Can't be shown again: Escape doesn't close it. */
  readonly isOnce: boolean
  readonly closed?: () => void
}

const boxCells = 72

/** Closed only by its button if `isOnce`. */
export function showText(ui: Ui, { title, help, text, status, close, isOnce, closed }: ShownText): void {
  const view = createTextScroll(outputLines(text), { isAtEnd: false })
  function Shown() {
    const now = useValue(() => status?.() ?? '')
    const { columns, rows } = useArea()
    const cells = Math.min(boxCells, columns - 2)
    const inner = cells - frameCells
    const above = help === '' ? 0 : wrapText(help, inner).length + 1
    const below = now === '' ? 0 : wrapText(now, inner).length + 1
    const shown = useValue(() => {
      view.resize(inner, Math.max(1, rows - above - below - 2))
      return view.rows()
    })
    return (
      <Dialog title={title} cells={cells}>
        {help !== '' && <Paragraph text={help} cells={inner} styleRole="muted" />}
        {help !== '' && <Gap />}
        <Rows lines={shown.map((row) => line(row.text, 'bold'))} />
        {now !== '' && <Gap />}
        {now !== '' && <Paragraph text={now} cells={inner} />}
      </Dialog>
    )
  }
  const overlay: Overlay = {
    layer: 'confirm',
    leaves: null,
    keys: {
      y: { hint: { text: ui.workspace.t('ui.secret.copy') }, run: () => copy(ui, text) },
      c: () => copy(ui, text),
      Enter: { hint: { text: close }, run: () => ui.close(overlay) },
      ArrowDown: () => view.scroll(1),
      ArrowUp: () => view.scroll(-1),
    },
    command: ({ command }) => isOnce && ['escape', 'quit'].includes(command),
    closed,
    spoken: () => [title, help, text, status?.() ?? ''].filter(Boolean),
    View: Shown,
  }
  ui.open(overlay)
}
