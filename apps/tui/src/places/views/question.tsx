import { observable } from '@legendapp/state'
import { isTyped } from '@qd/core/actions'
import { widthOf } from '../../base/output/width.ts'
import { useArea, useLive, useValue } from '../../screen/hooks.ts'
import type { Area, Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, type Line, line, lineText, span, wrapText } from '../../screen/terminal/line.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { Dialog, frameCells, Gap } from '../../screen/ui/Dialog.tsx'
import { Row, Rows, TextInput } from '../../screen/ui/rows.tsx'

const buttonCells = 5

function button(label: string, isFocused: boolean, { isUsable = true, isBad = false } = {}): Line {
  const focused: readonly Role[] = isBad ? ['bad', 'bold'] : ['bold']
  return isFocused
    ? [span('▌', 'accent'), span(`[ ${label} ]`, ...(isUsable ? focused : (['muted'] as const)))]
    : line(`   ${label}  `, isUsable ? 'plain' : 'muted')
}

/** Cancel has the focus (behaviours P-20, P-21, T-26). */
export interface Question {
  readonly title: string
  readonly body: string | ((cells: number) => readonly Line[])
  readonly go: string
  readonly bad?: boolean
  /** To type; null if a key suffices. */
  readonly words?: string | null
  readonly cliLine?: string
}

const bodyOf = ({ body }: Question, cells: number): readonly Line[] =>
  typeof body === 'string' ? wrapText(body, cells).map((text) => line(text)) : body(cells)

const boxCells = 56
const buttonGap = 2

function layoutOf(question: Question, { columns, rows }: Area) {
  const cells = Math.min(boxCells, columns - 2)
  const below = question.words ? 4 : 2
  const all = bodyOf(question, cells - frameCells)
  const lines = all.slice(Math.max(0, all.length - Math.max(0, rows - 2 - below)))
  return { cells, inner: cells - frameCells, lines, buttonRow: lines.length + below }
}

export function askQuestion(ui: Ui, question: Question): Promise<boolean> {
  const { t } = ui.workspace
  const { words = null } = question
  const input = words === null ? null : createTextInput()
  const cancel = t('ui.tui.confirm.cancel')
  const isReady = () => isTyped(words, input?.text ?? '')
  return new Promise((resolve) => {
    const onGo$ = observable(false)
    let goes = false
    const close = (answer: boolean) => {
      goes = answer
      ui.close(overlay)
    }
    const choose = () => {
      if (!onGo$.get()) return close(false)
      if (isReady()) close(true)
      else ui.say(t('ui.tui.confirm.typeFirst', { words: words! }), 'warn')
    }
    const turn = () => onGo$.set(!onGo$.get())
    const letters: Keys = { ArrowLeft: turn, ArrowRight: turn, h: turn, l: turn, n: () => close(false) }
    const keys: Keys = {
      ...(!input && { y: { hint: 'yes', run: () => close(true) }, ...letters }),
      Tab: { hint: 'change', run: turn },
      'Shift+Tab': turn,
      Enter: { hint: 'choose', run: choose },
    }
    function Shown() {
      const area = useArea()
      const onGo = useValue(onGo$)
      const isGiven = useValue(isReady)
      const { cells, inner, lines } = useLive(() => layoutOf(question, area))
      const label = isGiven ? question.go : t('ui.tui.confirm.goLater', { go: question.go })
      const go = button(label, onGo, { isUsable: isGiven, isBad: question.bad ?? false })
      return (
        <Dialog title={question.title} cells={cells}>
          <Rows lines={lines} />
          {input && words && (
            <>
              <Gap />
              <TextInput
                before={line(`${t('ui.tui.confirm.type', { words })} `)}
                input={input}
                cells={Math.max(4, inner - 40)}
              />
            </>
          )}
          <Gap />
          <Row line={cutLine([blank(buttonGap), ...button(cancel, !onGo), blank(buttonGap), ...go], inner)} />
        </Dialog>
      )
    }
    const overlay: Overlay = {
      layer: 'confirm',
      isTyping: () => input !== null,
      closed: () => resolve(goes),
      ...(question.cliLine !== undefined && { cliLine: () => question.cliLine! }),
      leaves: 'cancel',
      keys,
      ...(input && { input: input.input }),
      spoken: () => [
        t('ui.tui.spoken.question', { text: question.title }),
        ...bodyOf(question, boxCells)
          .map(lineText)
          .filter((text) => text.trim() !== ''),
        ...(words
          ? [t('ui.tui.spoken.field', { name: t('ui.tui.confirm.type', { words }), text: input?.text ?? '' })]
          : []),
        t('ui.tui.spoken.button', {
          index: onGo$.get() ? 2 : 1,
          count: 2,
          text: onGo$.get() ? question.go : cancel,
        }),
      ],
      click(row, column, area) {
        const { cells, buttonRow } = layoutOf(question, area)
        if (row !== buttonRow) return false
        const left = Math.floor((area.columns - cells) / 2) + frameCells / 2 + buttonGap
        onGo$.set(column > left + widthOf(cancel) + buttonCells)
        return true
      },
      View: Shown,
    }
    ui.open(overlay)
  })
}
