import { type Observable, observable, observe } from '@legendapp/state'
import { isAboutCode, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { beginProvider, offeredProviders, providerAddress } from '@qd/core/resources'
import { useArea, useTexts, useUi, useValue } from '../../screen/hooks.ts'
import type { Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { line, span } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'
import { Dialog, frameCells, Gap, Paragraph, Problem } from '../../screen/ui/Dialog.tsx'
import { Field, Row } from '../../screen/ui/rows.tsx'
import { askCode } from '../views/code-box.tsx'

const boxCells = 60

interface StepUpState {
  readonly asksCode: boolean
  readonly at: number
  readonly problem: string | null
}

function createStepUp(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, t } = workspace
  const password = createTextInput()
  const code = createTextInput()
  const state$ = observable<StepUpState>({
    asksCode: session.state$.profile.peek()?.totp === true,
    at: 0,
    problem: null,
  })
  const last = () => (state$.asksCode.get() ? 1 : 0)
  let isBusy = false

  const submit = async () => {
    if (isBusy) return
    if (password.text === '') return state$.problem.set(t('ui.login.passwordRequired'))
    if (state$.at.get() < last()) return state$.at.set(state$.at.get() + 1)
    isBusy = true
    state$.problem.set(null)
    try {
      const { recoveryLeft } = await ui.during(
        session.giveProof(password.text, code.text === '' ? undefined : code.text),
      )
      if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
    } catch (thrown) {
      const error = toAppError(thrown)
      const isCode = isAboutCode(error)
      state$.set({
        asksCode: isCode || state$.asksCode.get(),
        at: isCode ? 1 : 0,
        problem: error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title,
      })
      ;(isCode ? code : password).set('')
    } finally {
      isBusy = false
    }
  }
  const turn = () => state$.at.set((state$.at.get() + 1) % (last() + 1))
  const keys: Keys = {
    Enter: { hint: { text: t('ui.stepUp.submit') }, run: () => void submit() },
    Tab: turn,
    'Shift+Tab': turn,
    Escape: () => session.declineProof(),
    'Ctrl+c': () => session.declineProof(),
  }
  return {
    layer: 'confirm',
    isTyping: () => true,
    closed: () => session.declineProof(),
    leaves: { text: t('ui.form.cancel') },
    keys,
    input: (event) => (state$.at.get() === 0 ? password : code).input(event),
    spoken() {
      const { at, problem } = state$.get()
      return [
        t('ui.tui.spoken.question', { text: t('ui.stepUp.title') }),
        t('ui.stepUp.help'),
        t('ui.tui.spoken.field', {
          name: t(at === 0 ? 'ui.login.password' : 'ui.secondFactor.code'),
          text: (at === 0 ? '•'.repeat(password.text.length) : code.text) || t('ui.tui.spoken.empty'),
        }),
        ...(problem ? [t('ui.tui.spoken.error', { text: problem })] : []),
      ]
    },
    View: () => <StepUp state$={state$} password={password} code={code} />,
  }
}

interface StepUpProps {
  readonly state$: Observable<StepUpState>
  readonly password: TextInput
  readonly code: TextInput
}

function StepUp({ state$, password, code }: StepUpProps) {
  const { t } = useTexts()
  const { asksCode, at, problem } = useValue(state$)
  const cells = Math.min(boxCells, useArea().columns - 2)
  const inner = cells - frameCells
  return (
    <Dialog title={t('ui.stepUp.title')} cells={cells}>
      <Paragraph text={t('ui.stepUp.help')} cells={inner} styleRole="muted" />
      <Gap />
      <Field label="" labelCells={0} input={password} cells={inner} isSecret isFocused={at === 0} />
      {asksCode && <Row line={line(t('ui.secondFactor.code'), 'muted')} />}
      {asksCode && <Field label="" labelCells={0} input={code} cells={inner} isFocused={at === 1} />}
      {problem && <Problem text={problem} cells={inner} />}
    </Dialog>
  )
}

const labelCells = 16
const labels = { username: 'ui.login.username', password: 'ui.login.password', code: 'ui.secondFactor.code' } as const
type FieldName = keyof typeof labels

interface LoginState {
  readonly fields: readonly FieldName[]
  readonly providers: readonly string[]
  /** Pasted from a provider's page, while the second-factor code is asked for. */
  readonly paste: string | null
  readonly at: number
  readonly problem: string | null
}

/** A sign-in over the current screen, which stays (pain N-09). */
function createLogin(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, settings, t } = workspace
  const known = session.state$.profile.peek()?.username
  const username = createTextInput(typeof known === 'string' ? known : (settings.user ?? ''))
  const password = createTextInput()
  const code = createTextInput()
  const inputs = { username, password, code }
  const state$ = observable<LoginState>({
    fields: ['username', 'password'],
    providers: [],
    paste: null,
    at: username.text === '' ? 0 : 1,
    problem: null,
  })
  let isBusy = false
  let isRefused = false

  const submit = async () => {
    const { at, fields, paste } = state$.get()
    if (at < fields.length - 1) return state$.at.set(at + 1)
    if (isBusy) return
    if (paste === null && password.text === '') return state$.problem.set(t('ui.login.passwordRequired'))
    isBusy = true
    state$.problem.set(null)
    try {
      const given = code.text === '' ? undefined : code.text
      const { recoveryLeft } = await ui.during(
        paste === null ? workspace.signIn(username.text, password.text, given) : workspace.claim(paste, given),
      )
      if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
    } catch (thrown) {
      const error = toAppError(thrown)
      const { title, details } = errorText(translator, error)
      const problem = [title, ...details].join(' ')
      const isFirst = !fields.includes('code')
      // Without a code yet, the pasted text was wrong; the same address stays valid.
      if (paste !== null && error.code === 'wrongCode' && isFirst) {
        ui.fail(error)
        isRefused = true
      } else if (isAboutCode(error)) {
        const asked: readonly FieldName[] = paste === null ? ['username', 'password', 'code'] : ['code']
        state$.assign({ fields: asked, at: asked.length - 1, problem: isFirst ? null : problem })
        code.set('')
      } else {
        password.set('')
        state$.assign({ fields: ['username', 'password'], at: 1, paste: null, problem })
      }
    } finally {
      isBusy = false
    }
  }
  const goThrough = async (provider: string) => {
    state$.problem.set(null)
    try {
      const address = providerAddress(
        await ui.during(workspace.client.send(beginProvider(provider, 'signIn'), { probe: true })),
      )
      do {
        isRefused = false
        const paste = await askCode(ui, { title: signInBy(provider), address })
        state$.paste.set(paste)
        if (paste !== null && ui.workspace === workspace) await submit()
      } while (isRefused)
    } catch (thrown) {
      const { title, details } = errorText(translator, toAppError(thrown))
      state$.problem.set([title, ...details].join(' '))
    }
  }
  const choices = () => choicesOf(state$.get())
  const turn = (by: number) => () => {
    const { at, fields } = state$.get()
    const count = fields.length + choices().length
    state$.at.set((at + by + count) % count)
  }
  const signInBy = (provider: string) => t('ui.providers.signIn', { provider: plainText(provider) })
  const focused = () => state$.fields.get()[state$.at.get()]
  const chosen = () => choices()[state$.at.get() - state$.fields.get().length]
  const enter = () => {
    const provider = chosen()
    void (provider === undefined ? submit() : goThrough(provider))
  }
  const keys: Keys = {
    Enter: { hint: { text: t('ui.login.submit') }, run: enter },
    Tab: { hint: 'change', run: turn(1) },
    'Shift+Tab': turn(-1),
    ArrowDown: turn(1),
    ArrowUp: turn(-1),
    'Ctrl+c': { hint: 'quit', run: () => ui.quit(130) },
  }
  const spokenProblem = () => {
    const { problem } = state$.get()
    return problem ? [t('ui.tui.spoken.error', { text: problem })] : []
  }
  const spokenPlace = () => {
    const name = focused()
    if (name === undefined) return [signInBy(chosen() ?? '')]
    const { text } = inputs[name]
    const shown = name === 'password' ? '•'.repeat(text.length) : text
    return [t('ui.tui.spoken.field', { name: t(labels[name]), text: shown || t('ui.tui.spoken.empty') })]
  }
  if (session.supports('sign-in-providers'))
    void offeredProviders(workspace.client).then(
      (names) => void state$.providers.set(names),
      () => undefined,
    )
  return {
    layer: 'confirm',
    isTyping: () => true,
    leaves: null,
    keys,
    input(event) {
      const name = focused()
      if (name) inputs[name].input(event)
    },
    spoken: () => [
      t('ui.tui.spoken.question', { text: t('ui.login.title', { site: new URL(settings.url).host }) }),
      ...spokenPlace(),
      ...spokenProblem(),
    ],
    View: () => <Login state$={state$} inputs={inputs} />,
  }
}

function choicesOf({ paste, providers }: LoginState): readonly string[] {
  return paste === null ? providers : []
}

interface LoginProps {
  readonly state$: Observable<LoginState>
  readonly inputs: Readonly<Record<FieldName, TextInput>>
}

function Login({ state$, inputs }: LoginProps) {
  const { workspace } = useUi()
  const { t } = useTexts()
  const state = useValue(state$)
  const { fields, at, problem } = state
  const { url } = workspace.settings
  const isEnded = useValue(workspace.session.state$.status) === 'ended'
  const cells = Math.min(boxCells, useArea().columns - 2)
  const inner = cells - frameCells
  const choices = choicesOf(state)
  return (
    <Dialog title={isEnded ? t('ui.login.ended') : t('ui.login.title', { site: new URL(url).host })} cells={cells}>
      {isEnded ? (
        <Paragraph text={t('ui.login.endedHelp')} cells={inner} styleRole="muted" />
      ) : (
        <Row line={line(url, 'muted')} />
      )}
      <Gap />
      {fields.map((name, index) => (
        <Field
          key={name}
          label={t(labels[name])}
          labelCells={labelCells}
          input={inputs[name]}
          cells={inner}
          isSecret={name === 'password'}
          isFocused={at === index}
        />
      ))}
      {choices.length > 0 && <Gap />}
      {choices.map((provider, index) => {
        const isFocused = at === fields.length + index
        const label = t('ui.providers.signIn', { provider: plainText(provider) })
        const start = span(isFocused ? '▌ ' : '  ', 'accent')
        return <Row key={provider} line={[start, span(label, isFocused ? 'bold' : 'muted')]} />
      })}
      {fields.includes('code') && <Gap />}
      {fields.includes('code') && <Paragraph text={t('ui.secondFactor.help')} cells={inner} styleRole="muted" />}
      {problem && <Problem text={problem} cells={inner} />}
    </Dialog>
  )
}

/** Opens sign-in or password question while needed and closes it afterwards. Returns the unsubscribe function. */
export function watchSignIn(ui: Ui): () => void {
  const open = new Map<typeof createLogin, Overlay>()
  let watched: Workspace | null = null
  const show = (create: typeof createLogin, isNeeded: boolean) => {
    const shown = open.get(create)
    if (isNeeded && !shown) {
      const overlay = create(ui)
      open.set(create, overlay)
      ui.open(overlay)
    } else if (!isNeeded && shown) {
      open.delete(create)
      ui.close(shown)
    }
  }
  return observe(() => {
    const { workspace } = ui
    const status = workspace.session.state$.status.get()
    const needsProof = workspace.session.state$.needsProof.get()
    // After all observers ran, because the current overlay may be closing.
    ui.io.setTimer(() => {
      if (workspace !== ui.workspace) return
      if (workspace !== watched) open.clear()
      watched = workspace
      show(createStepUp, needsProof)
      show(createLogin, status === 'guest' || status === 'ended')
    }, 0)
  })
}
