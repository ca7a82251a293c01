import { textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { errorLines } from '@qd/core/i18n'
import { createFormCheck, type FormCheck } from '@qd/core/store'
import type { FormModel } from '@qd/core/view'
import { keyText } from '../../screen/state/actions.ts'
import { createState } from '../../screen/state/observed.ts'
import { type Hints, hintsIf } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import { sectionTitle } from './form-preview.ts'

export function createServerChecks(ui: Ui, model: FormModel) {
  const { translator, client, session, format, t, say } = ui.workspace
  const { resource } = model
  const seen = createState({ changes: 0 })
  const parts = Object.entries(resource?.serverChecks ?? {}).map(([name, check]) => ({
    label: say(textKey.serverCheck(resource!.name, name)),
    isAsked: check.when === 'asked',
    tries: createFormCheck(() => model, check, {
      supports: session.supports,
      send: (call, options) => ui.during(client.send(call, options)),
      clock: ui.io,
      onChange() {
        seen.changes += 1
      },
    }),
  }))
  type Part = (typeof parts)[number]

  const titleOf = ({ label, isAsked, tries }: Part) => {
    const tried = tries.tried()
    return tried && isAsked ? t('ui.serverCheck.at', { check: label, time: format.clock(tried.at) }) : label
  }
  const answerOf = ({ check }: FormCheck, tried: NonNullable<ReturnType<FormCheck['tried']>>) => {
    if (tried.kind === 'answer') return check.report(tried.answer)(ui.workspace)
    return errorLines(translator, tried.error).map((text) => ({ text, tone: 'bad' as const }))
  }
  const textsOf = ({ label, isAsked, tries }: Part) => {
    void seen.changes
    const tried = tries.tried()
    const why = tries.reason()
    const muted = (text: string) => [{ text, tone: 'muted' as const }]
    if (tries.isAsking() && !tried) return muted(t('ui.serverCheck.asking'))
    if (tried && !(why && !isAsked)) return answerOf(tries, tried)
    return muted(why ? t(why) : `${keyText(ui, 'Ctrl+t')} ${label}`)
  }
  return {
    /** Runs automatic checks after a pause; called on changes. */
    follow() {
      for (const { tries } of parts) tries.follow()
    },
    ask() {
      for (const { label, isAsked, tries } of parts) {
        const why = tries.reason()
        if (isAsked && why) ui.say(`${label}: ${t(why)}`, 'warn')
        else if (isAsked) tries.ask()
      }
    },
    hints: (): Hints =>
      Object.assign({}, ...parts.map(({ label, isAsked }) => hintsIf(isAsked, { 'Ctrl+t': { text: label } }))),
    lines: (size: { cells: number; tall: boolean }) =>
      parts.flatMap((part): Line[] => {
        const before = size.tall ? [] : [span(' ')]
        const texts = textsOf(part).flatMap(({ text, tone }) =>
          wrapText(plainText(text), size.cells - 2).map((one) => [...before, ...line(one, tone)]),
        )
        return [...(size.tall ? [[]] : []), sectionTitle(titleOf(part), size), ...texts]
      }),
    texts: () => parts.flatMap((part) => [titleOf(part), ...textsOf(part).map(({ text }) => plainText(text))]),
    stop() {
      for (const { tries } of parts) tries.stop()
    },
  }
}
