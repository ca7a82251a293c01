import type { Cancel } from '@qd/core/api'
import { type Call, type ServerCheck, textKey } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import { keyText } from '../../screen/state/actions.ts'
import { createState } from '../../screen/state/observed.ts'
import { type Hints, hintsIf } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import { sectionTitle } from './form-preview.ts'

type Tried = { at: number } & ({ kind: 'answer'; answer: unknown } | { kind: 'error'; error: AppError })

const restMs = 400

export function createServerChecks(ui: Ui, model: FormModel) {
  const { resource } = model
  const parts = Object.entries(resource?.serverChecks ?? {}).map(([name, check]) =>
    createServerCheck(ui, model, {
      check,
      label: ui.workspace.say(textKey.serverCheck(resource!.name, name)),
    }),
  )
  return {
    /** Runs automatic checks after a pause; called on changes. */
    follow() {
      for (const part of parts) part.follow()
    },
    ask() {
      for (const part of parts) part.ask()
    },
    hints: (): Hints => Object.assign({}, ...parts.map(({ hints }) => hints)),
    lines: (size: { cells: number; tall: boolean }) =>
      parts.flatMap((part): Line[] => {
        const before = size.tall ? [] : [span(' ')]
        const texts = part
          .lines()
          .flatMap(({ text, role }) => wrapText(text, size.cells - 2).map((one) => [...before, ...line(one, role)]))
        return [...(size.tall ? [[]] : []), sectionTitle(part.title(), size), ...texts]
      }),
    texts: () => parts.flatMap((part) => [part.title(), ...part.lines().map(({ text }) => text)]),
    stop() {
      for (const part of parts) part.stop()
    },
  }
}

function createServerCheck(ui: Ui, model: FormModel, { check, label }: { check: ServerCheck; label: string }) {
  const { translator, client, session, format, t } = ui.workspace
  const isTyped = check.when === 'typed'
  let followed = ''
  let asked = 0
  const state = createState({ isAsking: false, tried: null as Tried | null })
  let cancel: Cancel = () => undefined

  const callNow = (): Call => check.call(model.sent(), model.base?.id ?? null)
  const reason = (call: Call): string | null => {
    if (!session.supports(check.capability)) return t('ui.reasons.capability')
    const fields = Object.keys((call.body ?? {}) as object)
    return model.problems().some(({ field }) => fields.includes(field)) ? t('ui.serverCheck.wrong') : null
  }
  const send = async (call: Call) => {
    asked += 1
    const mine = asked
    state.isAsking = true
    const at = ui.io.now()
    const result = await ui.during(client.send(call)).then(
      (answer): Tried => ({ at, kind: 'answer', answer }),
      (thrown: unknown): Tried => ({ at, kind: 'error', error: toAppError(thrown) }),
    )
    if (mine !== asked) return
    state.tried = result
    state.isAsking = false
  }
  const outcome = (found: Tried) => {
    if (found.kind === 'error') {
      const { title, details, hint } = errorText(translator, found.error)
      return [title, ...details, ...(hint ? [hint] : [])].map((text) => ({
        text: plainText(text),
        role: 'bad' as const,
      }))
    }
    return check
      .report(found.answer)(ui.workspace)
      .map(({ text, tone }) => ({ text: plainText(text), role: tone }))
  }
  return {
    hints: hintsIf(!isTyped, { 'Ctrl+t': { text: label } }),
    title: () =>
      state.tried && !isTyped ? t('ui.serverCheck.at', { check: label, time: format.clock(state.tried.at) }) : label,
    follow() {
      if (!isTyped) return
      const call = callNow()
      const question = JSON.stringify(call)
      if (question === followed) return
      followed = question
      cancel()
      cancel = ui.io.setTimer(() => reason(call) === null && void send(call), restMs)
    },
    ask() {
      if (isTyped) return
      const call = callNow()
      const why = reason(call)
      if (why) ui.say(`${label}: ${why}`, 'warn')
      else if (!state.isAsking) void send(call)
    },
    lines() {
      const why = reason(callNow())
      if (state.isAsking && !state.tried) return [{ text: t('ui.serverCheck.asking'), role: 'muted' as const }]
      if (why && isTyped) return [{ text: why, role: 'muted' as const }]
      if (state.tried) return outcome(state.tried)
      return [{ text: why ?? `${keyText(ui, 'Ctrl+t')} ${label}`, role: 'muted' as const }]
    },
    stop() {
      cancel()
      asked += 1
      state.isAsking = false
      followed = ''
    },
  }
}
