import { actionWords, doneText, type Question, refusalTexts, runAction, sayText, startingWith } from '@qd/core/actions'
import { type Action, type AnyRow, type ApiPort, actionKey, type Call, type Values } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { type ActivityEntry, activityOf } from '@qd/core/store'
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
  const context = workspace.context()
  const entry = workspace.activities.begin(activityOf(action, rows, workspace.view))
  const prompts: Prompt[] = []
  let isAnswered = false
  const askFor = async (question: Question): Promise<Values | null> => {
    if (!question.args) return !question.confirm || (await ask(ui, question.confirm, rows)) ? {} : null
    const answerOf = (prompt: Prompt) => {
      prompts[0] = prompt
      return prompt.answer()
    }
    const [known] = prompts
    const values = known
      ? await known.answer()
      : await ui.bring(createPrompt(ui, startingWith(question, given)), answerOf)
    isAnswered = values !== null
    if (values) entry.answered(activityOf(action, rows, workspace.view, values))
    return values
  }
  const held: Call[] = []
  const hold: ApiPort = { send: async (call) => void held.push(call) }
  const send: ApiPort = { send: (call) => ui.during(context.api.send(call)) }
  const run = () =>
    runAction({
      action,
      rows,
      context: { ...context, api: action.waits ? hold : send },
      supports: (capability) => workspace.session.supports(capability),
      ask: askFor,
    })
  let report = await run()
  // Keeps the input if the server refuses it.
  while (report.kind === 'failed' && isAnswered && ui.workspace === workspace) {
    isAnswered = false
    prompts[0]?.refuse(report.error)
    report = await run()
  }
  if (report.kind !== 'ok' || held.length === 0) entry.ran(report)
  if (report.kind === 'refused') ui.say(sayText(translator, report.reason), 'warn')
  if (report.kind === 'failed') ui.fail(report.error)
  if (report.kind !== 'ok' || ui.workspace !== workspace) return
  if (held.length > 0) return wait(ui, held, { action, rows, entry })
  await showOutcome(ui, report.outcome, { action, rows })
  void workspace.records.refresh(report.refresh)
}

/** Applies the effect now and sends the calls later; `z` undoes it until then (behaviour P-22). */
function wait(
  ui: Ui,
  calls: readonly Call[],
  { action, rows, entry }: { action: Action; rows: readonly AnyRow[]; entry: ActivityEntry },
): void {
  const { workspace } = ui
  const { translator } = workspace
  const waiting = workspace.waiting.add(resourceByName(action.resource), calls, () => withdraw())
  const withdraw = ui.offerUndo({
    text: doneText(translator, actionWords(action, rows, workspace)),
    run: async () => void waiting.takeBack(),
  })
  void waiting.end.then((end) => {
    entry.waited(end)
    if (ui.workspace !== workspace) return
    if (end.kind === 'failed' && rows.length < 2) ui.fail(end.error)
    else if (end.kind !== 'takenBack' && end.failed.length > 0)
      ui.say(refusalTexts(end.failed, { action, rows }, workspace).join(' · '), 'bad')
    if (end.kind !== 'takenBack') void workspace.records.refresh([action.resource])
  })
}
