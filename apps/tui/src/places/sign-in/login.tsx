import { observable, observe } from '@legendapp/state'
import { type AppError, isAboutCode, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { beginProvider, offeredProviders, providerAddress } from '@qd/core/resources'
import { Fragment } from 'react'
import { useArea, useValue } from '../../screen/hooks.ts'
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

interface SignInRequest {
  readonly title: () => string
  readonly about: () => string
  readonly go: string
  readonly isLabeled?: boolean
  readonly fields: readonly FieldName[]
  readonly at: number
  readonly user?: string
  /** Sends the texts after Enter in the last field. */
  send(asked: SignInState, code: string | undefined): Promise<{ recoveryLeft: number | null }>
  /** What is asked after an error. */
  refused(error: AppError, asked: SignInState): Partial<SignInState>
}

const signInBy = ({ workspace }: Ui, provider: string) =>
  workspace.t('ui.providers.signIn', { provider: plainText(provider) })

/** The fields, and below them the providers. */
const choicesOf = ({ fields, providers, paste }: SignInState) => [
  ...fields.map((name) => ({ name, provider: null })),
  ...(paste === null ? providers : []).map((provider) => ({ name: null, provider })),
]

/** A box over the current screen, which stays (pain N-09), that asks for a password, a code, or both. */
function createSignInBox(ui: Ui, request: SignInRequest) {
  const { title, about, go, isLabeled = false, fields, at, user, send, refused } = request
  const { t } = ui.workspace
  const inputs = { username: createTextInput(user), password: createTextInput(), code: createTextInput() }
  const state$ = observable<SignInState>({ fields, providers: [], paste: null, at, problem: null })
  let isBusy = false
  const place = () => choicesOf(state$.get())[state$.get().at]
  const submit = async () => {
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
  }
  const turn = (by: number) => () => {
    const { length } = choicesOf(state$.get())
    state$.at.set((state$.get().at + by + length) % length)
  }
  const spokenChoice = () => {
    const { name, provider } = place()!
    if (name === null) return signInBy(ui, provider)
    const { text } = inputs[name]
    const shown = name === 'password' ? '•'.repeat(text.length) : text
    return t('ui.tui.spoken.field', { name: t(labels[name]), text: shown || t('ui.tui.spoken.empty') })
  }
  function View() {
    const shown = useValue(() => ({ ...state$.get(), title: title(), about: about() }))
    const cells = Math.min(boxCells, useArea().columns - 2)
    const inner = cells - frameCells
    const hasHelp = isLabeled && shown.fields.includes('code')
    return (
      <Dialog title={shown.title} cells={cells}>
        <Paragraph text={shown.about} cells={inner} styleRole="muted" />
        <Gap />
        {choicesOf(shown).map(({ name, provider }, index) => {
          const isFocused = shown.at === index
          if (name === null)
            return (
              <Fragment key={provider}>
                {index === shown.fields.length && <Gap />}
                <Row
                  line={[
                    span(isFocused ? '▌ ' : '  ', 'accent'),
                    span(signInBy(ui, provider), isFocused ? 'bold' : 'muted'),
                  ]}
                />
              </Fragment>
            )
          return (
            <Fragment key={name}>
              {!isLabeled && name === 'code' && <Row line={line(t(labels.code), 'muted')} />}
              <Field
                label={isLabeled ? t(labels[name]) : ''}
                labelCells={isLabeled ? labelCells : 0}
                input={inputs[name]}
                cells={inner}
                isSecret={name === 'password'}
                isFocused={isFocused}
              />
            </Fragment>
          )
        })}
        {hasHelp && <Gap />}
        {hasHelp && <Paragraph text={t('ui.secondFactor.help')} cells={inner} styleRole="muted" />}
        {shown.problem && <Problem text={shown.problem} cells={inner} />}
      </Dialog>
    )
  }
  const overlay = {
    layer: 'confirm',
    isTyping: () => true,
    keys: { Enter: { hint: { text: go }, run: () => void submit() }, Tab: turn(1), 'Shift+Tab': turn(-1) },
    input(event: KeyEvent) {
      const name = place()?.name
      if (name) inputs[name].input(event)
    },
    spoken() {
      const { problem } = state$.get()
      const said = [t('ui.tui.spoken.question', { text: title() }), ...(isLabeled ? [] : [about()]), spokenChoice()]
      return problem ? [...said, t('ui.tui.spoken.error', { text: problem })] : said
    },
    View,
  } satisfies Overlay
  return { overlay, inputs, state$, place, submit, turn }
}

function createStepUp(ui: Ui): Overlay {
  const { session, translator, t } = ui.workspace
  const asksCode: readonly FieldName[] = ['password', 'code']
  const { overlay, inputs } = createSignInBox(ui, {
    title: () => t('ui.stepUp.title'),
    about: () => t('ui.stepUp.help'),
    go: t('ui.stepUp.submit'),
    fields: session.state$.profile.peek()?.totp === true ? asksCode : ['password'],
    at: 0,
    send: (_asked, code) => session.giveProof(inputs.password.text, code),
    refused: (error, { fields }) => ({
      ...(isAboutCode(error) ? { fields: asksCode, at: 1 } : { fields, at: 0 }),
      problem: error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title,
    }),
  })
  const decline = () => session.declineProof()
  return {
    ...overlay,
    closed: decline,
    leaves: { text: t('ui.form.cancel') },
    keys: { ...overlay.keys, Escape: decline, 'Ctrl+c': decline },
  }
}

function createLogin(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session, settings, t } = workspace
  const known = session.state$.profile.peek()?.username
  const user = typeof known === 'string' ? known : (settings.user ?? '')
  const isEnded = () => session.state$.status.get() === 'ended'
  const sentence = (error: AppError) => {
    const { title, details } = errorText(translator, error)
    return [title, ...details].join(' ')
  }
  let isRefused = false
  const { overlay, inputs, state$, place, submit, turn } = createSignInBox(ui, {
    title: () => (isEnded() ? t('ui.login.ended') : t('ui.login.title', { site: new URL(settings.url).host })),
    about: () => (isEnded() ? t('ui.login.endedHelp') : settings.url),
    go: t('ui.login.submit'),
    isLabeled: true,
    fields: ['username', 'password'],
    at: user === '' ? 0 : 1,
    user,
    send({ paste }, code) {
      const { username, password } = inputs
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
    const provider = place()?.provider
    void (provider ? goThrough(provider) : submit())
  }
  if (session.supports('sign-in-providers'))
    void offeredProviders(workspace.client).then(
      (names) => void state$.providers.set(names),
      () => undefined,
    )
  return {
    ...overlay,
    leaves: null,
    keys: {
      ...overlay.keys,
      Enter: { ...overlay.keys.Enter, run: enter },
      Tab: { hint: 'change', run: turn(1) },
      ArrowDown: turn(1),
      ArrowUp: turn(-1),
      'Ctrl+c': { hint: 'quit', run: () => ui.quit(130) },
    },
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
