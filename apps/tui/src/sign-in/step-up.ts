import { toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { line, span, wrapText } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { boxed } from '../views/confirm.ts'

const boxCells = 60

/** Asks for the password, where the server wants it once more before it does something (behaviours N-11, R-12). */
export function createStepUp(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session } = workspace
  const { t } = translator
  const password = createTextInput()
  let problem: string | null = null
  let isBusy = false

  const submit = async () => {
    if (isBusy) return
    if (password.text === '') {
      problem = t('ui.login.passwordRequired')
      return ui.changed()
    }
    isBusy = true
    problem = null
    try {
      await ui.during(session.giveProof(password.text))
    } catch (thrown) {
      const error = toAppError(thrown)
      problem = error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title
      password.set('')
    } finally {
      isBusy = false
      ui.changed()
    }
  }
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => void submit(),
    Escape: () => session.declineProof(),
    'Ctrl+c': () => session.declineProof(),
  }
  return {
    layer: 'confirm',
    isTyping: () => true,
    command: () => false,
    closed: () => session.declineProof(),
    hints: () => [
      { chord: 'Enter', label: t('ui.stepUp.submit') },
      { chord: 'Escape', label: t('ui.form.cancel') },
    ],
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) return key()
      if (password.input(event)) ui.changed()
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.stepUp.title') }),
      t('ui.stepUp.help'),
      t('ui.tui.spoken.field', {
        name: t('ui.login.password'),
        text: '•'.repeat(password.text.length) || t('ui.tui.spoken.empty'),
      }),
      ...(problem ? [t('ui.tui.spoken.error', { text: problem })] : []),
    ],
    draw({ columns }) {
      const cells = Math.min(boxCells, columns - 2)
      const inner = cells - 4
      const help = wrapText(t('ui.stepUp.help'), inner).map((text) => line(text, 'muted'))
      const wrong = problem ? [[], ...wrapText(`✗ ${problem}`, inner).map((text) => line(text, 'bad'))] : []
      const field = [span('▌ ', 'accent'), ...password.draw(inner - 3, { secret: true, focused: true })]
      return boxed(t('ui.stepUp.title'), [...help, [], field, ...wrong], { cells, columns })
    },
  }
}
