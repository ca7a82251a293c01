import { isAboutCode, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { beginProvider, offeredProviders, providerAddress } from '@qd/core/resources'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, line, span, wrapText } from '../terminal/line.ts'
import { createTextInput, type TextInput } from '../terminal/text-input.ts'
import { askCode } from '../views/code-box.ts'
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
  let providers: readonly string[] = []
  /** What the page of a provider showed, while the code of the second factor is asked for. */
  let paste: string | null = null
  let at = username.text === '' ? 0 : 1
  let problem: string | null = null
  let isBusy = false
  let isRefused = false

  const submit = async () => {
    if (at < fields.length - 1) {
      at += 1
      return ui.changed()
    }
    if (isBusy) return
    if (paste === null && password.text === '') {
      problem = t('ui.login.passwordRequired')
      return ui.changed()
    }
    isBusy = true
    problem = null
    try {
      const given = code.text === '' ? undefined : code.text
      const { recoveryLeft } = await ui.during(
        paste === null ? workspace.signIn(username.text, password.text, given) : workspace.claim(paste, given),
      )
      if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
    } catch (thrown) {
      const error = toAppError(thrown)
      const { title, details } = errorText(translator, error)
      // Without a code so far it is what was pasted that was refused: the same address counts on.
      if (paste !== null && error.code === 'wrongCode' && !fields.includes(code)) {
        ui.fail(error)
        isRefused = true
      } else if (isAboutCode(error)) {
        const isFirst = !fields.includes(code)
        fields = paste === null ? [username, password, code] : [code]
        at = fields.length - 1
        problem = isFirst ? null : [title, ...details].join(' ')
        code.set('')
      } else {
        problem = [title, ...details].join(' ')
        password.set('')
        paste = null
        fields = [username, password]
        at = 1
      }
    } finally {
      isBusy = false
      ui.changed()
    }
  }
  /** Out through a browser anywhere, and back by the code that the page there shows. */
  const goThrough = async (provider: string) => {
    problem = null
    try {
      const address = providerAddress(
        await ui.during(workspace.client.send(beginProvider(provider, 'signIn'), { probe: true })),
      )
      do {
        isRefused = false
        paste = await askCode(ui, { title: signInBy(provider), address })
        if (paste !== null && ui.workspace === workspace) await submit()
      } while (isRefused)
    } catch (thrown) {
      const { title, details } = errorText(translator, toAppError(thrown))
      problem = [title, ...details].join(' ')
    }
    ui.changed()
  }
  const choices = () => (paste === null ? providers : [])
  const turn = (by: number) => () => {
    const count = fields.length + choices().length
    at = (at + by + count) % count
    ui.changed()
  }
  const signInBy = (provider: string) => t('ui.providers.signIn', { provider: plainText(provider) })
  const labelOf = (input: TextInput) =>
    t(input === code ? 'ui.secondFactor.code' : input === password ? 'ui.login.password' : 'ui.login.username')
  const chosen = () => choices()[at - fields.length]
  const keys: Readonly<Record<string, () => void>> = {
    Enter() {
      const provider = chosen()
      void (provider === undefined ? submit() : goThrough(provider))
    },
    Tab: turn(1),
    'Shift+Tab': turn(-1),
    ArrowDown: turn(1),
    ArrowUp: turn(-1),
    'Ctrl+c': () => ui.quit(130),
  }
  const spokenPlace = () => {
    const input = fields[at]
    if (input === undefined) return [signInBy(chosen() ?? '')]
    const text = input === password ? '•'.repeat(password.text.length) : input.text
    return [t('ui.tui.spoken.field', { name: labelOf(input), text: text || t('ui.tui.spoken.empty') })]
  }
  const choice = (provider: string, index: number): Line => {
    const focused = at === fields.length + index
    return [span(focused ? '▌ ' : '  ', 'accent'), span(signInBy(provider), focused ? 'bold' : 'muted')]
  }
  const field = (label: string, drawn: Line, focused: boolean): Line => [
    span(focused ? '▌ ' : '  ', 'accent'),
    ...fitLine(line(label, focused ? 'bold' : 'muted'), labelCells),
    ...drawn,
  ]
  if (session.supports('sign-in-providers'))
    void offeredProviders(workspace.client).then(
      (names) => {
        providers = names
        ui.changed()
      },
      // Who cannot be asked about them can still take a password.
      () => undefined,
    )
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
      if (fields[at]?.input(event)) ui.changed()
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.login.title', { site: new URL(settings.url).host }) }),
      ...spokenPlace(),
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
              labelOf(input),
              input.draw(room, { secret: input === password, focused: at === index }),
              at === index,
            ),
          ),
          ...(choices().length > 0 ? [[], ...choices().map(choice)] : []),
          ...(fields.includes(code)
            ? [[], ...wrapText(t('ui.secondFactor.help'), inner).map((text) => line(text, 'muted'))]
            : []),
          ...wrong,
        ],
        { cells, columns },
      )
    },
  }
}
