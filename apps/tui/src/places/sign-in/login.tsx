import { observable, observe } from '@legendapp/state'
import { type AppError, isAboutCode, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { beginProvider, offeredProviders, providerAddress } from '@qd/core/resources'
import { useArea, useTexts, useUi, useValue } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { line, span } from '../../screen/terminal/line.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import { Dialog, frameCells, Gap, Paragraph, Problem } from '../../screen/ui/Dialog.tsx'
import { Field, Row } from '../../screen/ui/rows.tsx'
import { askCode } from '../views/ask-line.tsx'

const boxCells = 60
const labelCells = 16
const labels = { username: 'ui.login.username', password: 'ui.login.password', code: 'ui.secondFactor.code' } as const
type FieldName = keyof typeof labels

interface SignInState {
  readonly fields: readonly FieldName[]
  /** Below the fields. */
  readonly providers: readonly string[]
  /** Pasted from a provider's page, instead of a password. */
  readonly paste: string | null
  readonly at: number
  readonly problem: string | null
}

type Fields = ReturnType<typeof createFields>

/** Texts that Enter in the last field sends. `refused`: what is asked after an error. */
function createFields(
  ui: Ui,
  {
    fields,
    at,
    user,
    send,
    refused,
  }: Pick<SignInState, 'fields' | 'at'> & {
    user?: string
    send(asked: SignInState, code: string | undefined): Promise<{ recoveryLeft: number | null }>
    refused(error: AppError, asked: SignInState): Partial<SignInState>
  },
) {
  const { t } = ui.workspace
  const inputs = { username: createTextInput(user), password: createTextInput(), code: createTextInput() }
  const state$ = observable<SignInState>({ fields, providers: [], paste: null, at, problem: null })
  let isBusy = false
  const placeOf = ({ fields, providers, paste, at }: SignInState) => {
    const choices = paste === null ? providers : []
    return { choices, name: fields[at], provider: choices[at - fields.length] }
  }
  const place = () => placeOf(state$.get())
  return {
    inputs,
    state$,
    place,
    placeOf,
    async submit() {
      const asked = state$.get()
      const isMissing = asked.paste === null && asked.at >= asked.fields.indexOf('password')
      if (isMissing && inputs.password.text === '') return state$.problem.set(t('ui.login.passwordRequired'))
      if (asked.at < asked.fields.length - 1) return state$.at.set(asked.at + 1)
      if (isBusy) return
      isBusy = true
      state$.problem.set(null)
      try {
        const { recoveryLeft } = await ui.during(send(asked, inputs.code.text || undefined))
        if (recoveryLeft !== null) ui.say(t('ui.secondFactor.left', { count: recoveryLeft }), 'warn')
      } catch (thrown) {
        const error = toAppError(thrown)
        state$.assign(refused(error, asked))
        inputs[isAboutCode(error) ? 'code' : 'password'].set('')
      } finally {
        isBusy = false
      }
    },
    turn: (by: number) => () => {
      const { at, fields } = state$.get()
      const count = fields.length + place().choices.length
      state$.at.set((at + by + count) % count)
    },
    input(event: KeyEvent) {
      const { name } = place()
      if (name) inputs[name].input(event)
    },
    spoken() {
      const { name, provider = '' } = place()
      const { problem } = state$.get()
      const text = name && (name === 'password' ? '•'.repeat(inputs[name].text.length) : inputs[name].text)
      return [
        name === undefined
          ? signInBy(ui, provider)
          : t('ui.tui.spoken.field', { name: t(labels[name]), text: text || t('ui.tui.spoken.empty') }),
        ...(problem ? [t('ui.tui.spoken.error', { text: problem })] : []),
      ]
    },
  }
}

const signInBy = ({ workspace }: Ui, provider: string) =>
  workspace.t('ui.providers.signIn', { provider: plainText(provider) })

interface BoxProps {
  readonly asks: Fields
  readonly title: string
  readonly about: string
  readonly isLabeled?: boolean
}

function Box({ asks, title, about, isLabeled = false }: BoxProps) {
  const ui = useUi()
  const { t } = useTexts()
  const asked = useValue(asks.state$)
  const { fields, at, problem } = asked
  const { choices } = asks.placeOf(asked)
  const cells = Math.min(boxCells, useArea().columns - 2)
  const inner = cells - frameCells
  return (
    <Dialog title={title} cells={cells}>
      <Paragraph text={about} cells={inner} styleRole="muted" />
      <Gap />
      {fields.flatMap((name, index) => [
        !isLabeled && name === 'code' && <Row key="label" line={line(t(labels.code), 'muted')} />,
        <Field
          key={name}
          label={isLabeled ? t(labels[name]) : ''}
          labelCells={isLabeled ? labelCells : 0}
          input={asks.inputs[name]}
          cells={inner}
          isSecret={name === 'password'}
          isFocused={at === index}
        />,
      ])}
      {choices.length > 0 && <Gap />}
      {choices.map((provider, index) => {
        const isFocused = at === fields.length + index
        const start = span(isFocused ? '▌ ' : '  ', 'accent')
        return <Row key={provider} line={[start, span(signInBy(ui, provider), isFocused ? 'bold' : 'muted')]} />
      })}
      {isLabeled && fields.includes('code') && <Gap />}
      {isLabeled && fields.includes('code') && (
        <Paragraph text={t('ui.secondFactor.help')} cells={inner} styleRole="muted" />
      )}
      {problem && <Problem text={problem} cells={inner} />}
    </Dialog>
  )
}

function createStepUp(ui: Ui): Overlay {
  const { session, translator, t } = ui.workspace
  const asksCode: readonly FieldName[] = ['password', 'code']
  const asks = createFields(ui, {
    fields: session.state$.profile.peek()?.totp === true ? asksCode : ['password'],
    at: 0,
    send: (_asked, code) => session.giveProof(asks.inputs.password.text, code),
    refused: (error, { fields }) => ({
      ...(isAboutCode(error) ? { fields: asksCode, at: 1 } : { fields, at: 0 }),
      problem: error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title,
    }),
  })
  const decline = () => session.declineProof()
  return {
    layer: 'confirm',
    isTyping: () => true,
    closed: decline,
    leaves: { text: t('ui.form.cancel') },
    keys: {
      Enter: { hint: { text: t('ui.stepUp.submit') }, run: () => void asks.submit() },
      Tab: asks.turn(1),
      'Shift+Tab': asks.turn(-1),
      Escape: decline,
      'Ctrl+c': decline,
    },
    input: asks.input,
    spoken: () => [t('ui.tui.spoken.question', { text: t('ui.stepUp.title') }), t('ui.stepUp.help'), ...asks.spoken()],
    View: () => <Box asks={asks} title={t('ui.stepUp.title')} about={t('ui.stepUp.help')} />,
  }
}

/** A sign-in over the current screen, which stays (pain N-09). */
function createLogin(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, settings, t } = workspace
  const known = session.state$.profile.peek()?.username
  const user = typeof known === 'string' ? known : (settings.user ?? '')
  const title = () => t('ui.login.title', { site: new URL(settings.url).host })
  const sentence = (error: AppError) => {
    const { title, details } = errorText(translator, error)
    return [title, ...details].join(' ')
  }
  let isRefused = false
  const asks = createFields(ui, {
    fields: ['username', 'password'],
    at: user === '' ? 0 : 1,
    user,
    send({ paste }, code) {
      const { username, password } = asks.inputs
      return paste === null ? workspace.signIn(username.text, password.text, code) : workspace.claim(paste, code)
    },
    refused(error, { fields, paste }) {
      const problem = sentence(error)
      const isFirst = !fields.includes('code')
      // Without a code yet, the pasted text was wrong; the same address stays valid.
      isRefused = paste !== null && error.code === 'wrongCode' && isFirst
      if (isRefused) ui.fail(error)
      if (isRefused) return {}
      if (!isAboutCode(error)) return { fields: ['username', 'password'], at: 1, paste: null, problem }
      const asked: readonly FieldName[] = paste === null ? ['username', 'password', 'code'] : ['code']
      return { fields: asked, at: asked.length - 1, problem: isFirst ? null : problem }
    },
  })
  const { state$, submit, turn } = asks
  const goThrough = async (provider: string) => {
    state$.problem.set(null)
    try {
      const begun = workspace.client.send(beginProvider(provider, 'signIn'), { probe: true })
      const address = providerAddress(await ui.during(begun))
      do {
        isRefused = false
        const paste = await askCode(ui, { title: signInBy(ui, provider), address })
        state$.paste.set(paste)
        if (paste !== null && ui.workspace === workspace) await submit()
      } while (isRefused)
    } catch (thrown) {
      state$.problem.set(sentence(toAppError(thrown)))
    }
  }
  const enter = () => {
    const { provider } = asks.place()
    void (provider === undefined ? submit() : goThrough(provider))
  }
  if (session.supports('sign-in-providers'))
    void offeredProviders(workspace.client).then(
      (names) => void state$.providers.set(names),
      () => undefined,
    )
  function Shown() {
    const isEnded = useValue(session.state$.status) === 'ended'
    const about = isEnded ? t('ui.login.endedHelp') : settings.url
    return <Box asks={asks} title={isEnded ? t('ui.login.ended') : title()} about={about} isLabeled />
  }
  return {
    layer: 'confirm',
    isTyping: () => true,
    leaves: null,
    keys: {
      Enter: { hint: { text: t('ui.login.submit') }, run: enter },
      Tab: { hint: 'change', run: turn(1) },
      'Shift+Tab': turn(-1),
      ArrowDown: turn(1),
      ArrowUp: turn(-1),
      'Ctrl+c': { hint: 'quit', run: () => ui.quit(130) },
    },
    input: asks.input,
    spoken: () => [t('ui.tui.spoken.question', { text: title() }), ...asks.spoken()],
    View: Shown,
  }
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
