import { type Observable, observable } from '@legendapp/state'
import { isAboutCode, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { useArea, useTexts, useValue } from '../../screen/hooks.ts'
import type { Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'
import { Dialog, frameCells, Gap, Paragraph, Problem } from '../../screen/ui/Dialog.tsx'
import { Field, Row } from '../../screen/ui/rows.tsx'

const boxCells = 60

interface StepUpState {
  readonly asksCode: boolean
  readonly at: number
  readonly problem: string | null
}

export function createStepUp(ui: Ui): Overlay {
  const { workspace } = ui
  const { translator, session } = workspace
  const { t } = translator
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
