import { isAboutCode, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, line, span, wrapText } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { boxed } from '../views/confirm.ts'

const boxCells = 60
const labelCells = 16

/** Asks who signs in, over whatever is on screen, which stays (pain N-09). */
export function createLogin(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, settings } = workspace
  const { t } = translator
  const known = session.state$.profile.peek()?.username
  const username = createTextInput(typeof known === 'string' ? known : (settings.user ?? ''))
  const password = createTextInput()
  const code = createTextInput()
  /** The fields so far: the code is asked for when the server wants one. */
  let fields = [username, password]
  let at = username.text === '' ? 0 : 1
  let problem: string | null = null
  let isBusy = false

  const submit = async () => {
    if (at < fields.length - 1) {
      at += 1
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
      const { recoveryLeft } = await ui.during(
        workspace.signIn(username.text, password.text, code.text === '' ? undefined : code.text),
      )
      if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
    } catch (thrown) {
      const error = toAppError(thrown)
      const { title, details } = errorText(translator, error)
      if (isAboutCode(error)) {
        const isFirst = fields.length === 2
        fields = [username, password, code]
        at = 2
        problem = isFirst ? null : [title, ...details].join(' ')
        code.set('')
      } else {
        problem = [title, ...details].join(' ')
        password.set('')
        at = 1
      }
    } finally {
      isBusy = false
      ui.changed()
    }
  }
  const turn = (by: number) => () => {
    at = (at + by + fields.length) % fields.length
    ui.changed()
  }
  const labels = ['ui.login.username', 'ui.login.password', 'ui.secondFactor.code'] as const
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => void submit(),
    Tab: turn(1),
    'Shift+Tab': turn(-1),
    ArrowDown: turn(1),
    ArrowUp: turn(-1),
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
      if (fields[at]!.input(event)) ui.changed()
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.login.title', { site: new URL(settings.url).host }) }),
      t('ui.tui.spoken.field', {
        name: t(labels[at]!),
        text: (at === 1 ? '•'.repeat(password.text.length) : fields[at]!.text) || t('ui.tui.spoken.empty'),
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
          ...fields.map((input, index) =>
            field(
              t(labels[index]!),
              input.draw(room, { secret: input === password, focused: at === index }),
              at === index,
            ),
          ),
          ...(fields.length > 2
            ? [[], ...wrapText(t('ui.secondFactor.help'), inner).map((text) => line(text, 'muted'))]
            : []),
          ...wrong,
        ],
        { cells, columns },
      )
    },
  }
}
