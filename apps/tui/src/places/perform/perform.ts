import { actionWords, doneText, type Question, refusalTexts, sayText, startingWith } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, type Values } from '@qd/core/define'
import { stateOf } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createPrompt, type Prompt } from '../form/prompt-screen.tsx'
import { ask } from '../views/confirm.ts'
import { showOutcome } from './show-outcome.ts'

export async function perform(ui: Ui, action: Action, rows: readonly AnyRow[], given?: Values): Promise<void> {
  const { workspace } = ui
  const { translator } = workspace
  const refused = stateOf(ui, action, rows).reason
  if (refused) return ui.say(`${translator.say(actionKey(action))}: ${sayText(translator, refused)}`, 'warn')
  let prompt: Prompt | null = null
  const askFor = async (question: Question): Promise<Values | null> => {
    if (!question.args) return !question.confirm || (await ask(ui, question.confirm, rows)) ? {} : null
    if (prompt) return prompt.answer()
    return ui.bring(createPrompt(ui, startingWith(question, given)), (made) => {
      prompt = made
      return made.answer()
    })
  }
  const report = await workspace.runner.run(action, rows, askFor, {
    during: ui.during,
    refused(error) {
      // Keeps the input.
      prompt?.refuse(error)
      return ui.workspace === workspace
    },
  })
  if (report.kind === 'refused') ui.say(sayText(translator, report.reason), 'warn')
  if (report.kind === 'failed') ui.fail(report.error)
  if (ui.workspace !== workspace) return
  if (report.kind === 'ok') await showOutcome(ui, report.outcome, { action, rows })
  if (report.kind !== 'waits') return
  ui.offerUndo(doneText(translator, actionWords(action, rows, workspace)))
  void report.end.then((end) => {
    if (ui.workspace !== workspace) return
    if (end.kind === 'failed' && rows.length < 2) ui.fail(end.error)
    else if (end.kind !== 'takenBack' && end.failed.length > 0)
      ui.say(refusalTexts(end.failed, { action, rows }, workspace).join(' · '), 'bad')
  })
}
