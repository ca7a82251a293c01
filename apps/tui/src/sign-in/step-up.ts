import { isAboutCode, toAppError } from '@qd/core/errors'
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
  const code = createTextInput()
  /** The fields so far: the code where a second factor is on. */
  let fields = session.state$.profile.peek()?.totp === true ? [password, code] : [password]
  let at = 0
  let problem: string | null = null
  let isBusy = false

  const submit = async () => {
    if (isBusy) return
    if (password.text === '') {
      problem = t('ui.login.passwordRequired')
      return ui.changed()
    }
    if (at < fields.length - 1) {
      at += 1
      return ui.changed()
    }
    isBusy = true
    problem = null
    try {
      const { recoveryLeft } = await ui.during(
        session.giveProof(password.text, code.text === '' ? undefined : code.text),
      )
      if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
    } catch (thrown) {
      const error = toAppError(thrown)
      problem = error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title
      if (isAboutCode(error)) fields = [password, code]
      at = isAboutCode(error) ? 1 : 0
      ;(isAboutCode(error) ? code : password).set('')
    } finally {
      isBusy = false
      ui.changed()
    }
  }
  const turn = () => {
    at = (at + 1) % fields.length
    ui.changed()
  }
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => void submit(),
    Tab: turn,
    'Shift+Tab': turn,
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
      if (fields[at]!.input(event)) ui.changed()
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.stepUp.title') }),
      t('ui.stepUp.help'),
      t('ui.tui.spoken.field', {
        name: t(at === 0 ? 'ui.login.password' : 'ui.secondFactor.code'),
        text: (at === 0 ? '•'.repeat(password.text.length) : code.text) || t('ui.tui.spoken.empty'),
      }),
      ...(problem ? [t('ui.tui.spoken.error', { text: problem })] : []),
    ],
    draw({ columns }) {
      const cells = Math.min(boxCells, columns - 2)
      const inner = cells - 4
      const help = wrapText(t('ui.stepUp.help'), inner).map((text) => line(text, 'muted'))
      const wrong = problem ? [[], ...wrapText(`✗ ${problem}`, inner).map((text) => line(text, 'bad'))] : []
      const drawn = fields.flatMap((input, index) => [
        ...(index > 0 ? [line(t('ui.secondFactor.code'), 'muted')] : []),
        [
          span(at === index ? '▌ ' : '  ', 'accent'),
          ...input.draw(inner - 3, { secret: input === password, focused: at === index }),
        ],
      ])
      return boxed(t('ui.stepUp.title'), [...help, [], ...drawn, ...wrong], { cells, columns })
    },
  }
}
