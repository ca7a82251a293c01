import { toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, line, span, wrapText } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { boxed } from '../views/confirm.ts'

const boxCells = 60
const labelCells = 14

/** Asks who signs in, over whatever is on screen, which stays (pain N-09). */
export function createLogin(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, settings } = workspace
  const { t } = translator
  const known = session.state$.profile.peek()?.username
  const username = createTextInput(typeof known === 'string' ? known : (settings.user ?? ''))
  const password = createTextInput()
  let onPassword = username.text !== ''
  let problem: string | null = null
  let isBusy = false

  const submit = async () => {
    if (!onPassword) {
      onPassword = true
      return ui.changed()
    }
    if (isBusy) return
    if (password.text === '') {
      problem = t('ui.login.passwordRequired')
      return ui.changed()
    }
    isBusy = true
    problem = null
    try {
      await ui.during(workspace.signIn(username.text, password.text))
    } catch (thrown) {
      const { title, details } = errorText(translator, toAppError(thrown))
      problem = [title, ...details].join(' ')
      password.set('')
    } finally {
      isBusy = false
      ui.changed()
    }
  }
  const turn = () => {
    onPassword = !onPassword
    ui.changed()
  }
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => void submit(),
    Tab: turn,
    'Shift+Tab': turn,
    ArrowDown: turn,
    ArrowUp: turn,
    'Ctrl+c': () => ui.quit(130),
  }
  const field = (label: string, drawn: Line, focused: boolean): Line => [
    span(focused ? '▌ ' : '  ', 'accent'),
    ...fitLine(line(label, focused ? 'bold' : 'muted'), labelCells),
    ...drawn,
  ]
  return {
    layer: 'confirm',
    isTyping: () => true,
    command: () => false,
    closed: () => undefined,
    hints: () => [
      { chord: 'Enter', label: t('ui.login.submit') },
      { chord: 'Tab', label: t('ui.tui.hints.change') },
      { chord: 'Ctrl+c', label: t('ui.tui.hints.quit') },
    ],
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) return key()
      if ((onPassword ? password : username).input(event)) ui.changed()
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.login.title', { site: new URL(settings.url).host }) }),
      t('ui.tui.spoken.field', {
        name: t(onPassword ? 'ui.login.password' : 'ui.login.username'),
        text: (onPassword ? '•'.repeat(password.text.length) : username.text) || t('ui.tui.spoken.empty'),
      }),
      ...(problem ? [t('ui.tui.spoken.error', { text: problem })] : []),
    ],
    draw({ columns }) {
      const cells = Math.min(boxCells, columns - 2)
      const inner = cells - 4
      const ended = session.state$.status.peek() === 'ended'
      const title = ended ? t('ui.login.ended') : t('ui.login.title', { site: new URL(settings.url).host })
      const help = ended
        ? [...wrapText(t('ui.login.endedHelp'), inner).map((text) => line(text, 'muted')), []]
        : [line(settings.url, 'muted'), []]
      const wrong = problem ? [[], ...wrapText(`✗ ${problem}`, inner).map((text) => line(text, 'bad'))] : []
      const room = inner - labelCells - 3
      return boxed(
        title,
        [
          ...help,
          field(t('ui.login.username'), username.draw(room, { focused: !onPassword }), !onPassword),
          field(t('ui.login.password'), password.draw(room, { secret: true, focused: onPassword }), onPassword),
          ...wrong,
        ],
        { cells, columns },
      )
    },
  }
}
