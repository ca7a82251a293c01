import type { Question } from '@qd/core/actions'
import { actionKey, textKey, titleOf, type Values } from '@qd/core/define'
import { type AppError, firstItem } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { firstNames } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { createArgumentsForm, qrLines } from '@qd/core/view'
import { useArea } from '../../screen/hooks.ts'
import type { Overlay, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, type Line, line, lineText, span, spokenCells, wrapText } from '../../screen/terminal/line.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { hintWord } from '../views/action-hints.ts'
import { warningLines } from '../views/confirm.ts'
import { createFormEditor, observedForm } from './form-editor.ts'
import { FormView } from './form-layout.tsx'

/** Arguments of an action on a screen with its targets. */
export interface Prompt {
  answer(): Promise<Values | null>
  refuse(error: AppError): void
}

const namesShown = 20

export async function createPrompt(ui: Ui, question: Question): Promise<Prompt> {
  const { action, resource, rows, confirm } = question
  const args = question.args!
  const { workspace } = ui
  const { translator, records, view, say } = workspace
  const start = await question.start()
  const scanned = args.scan?.(start)
  const model = observedForm(
    createArgumentsForm({
      action,
      args,
      resource,
      rows,
      start,
      view,
      viewer: workspace.session.viewer(),
      translator,
    }),
  )
  const editor = createFormEditor(ui, model, { run: () => submit() })
  let settle: (values: Values | null) => void = () => undefined

  const leave = (values: Values | null) => {
    if (ui.screen === screen) ui.pop()
    settle(values)
  }
  const submit = () => {
    const values = editor.submit()
    if (values) leave(values)
  }
  const notes = (cells: number): Line[] => [...rowLines(cells), ...(confirm ? warningLines(confirm, ui, cells) : [])]
  const rowLines = (cells: number): Line[] => {
    if (rows.length === 0 || (rows.length === 1 && model.targetPreview())) return []
    const names = rows.map((row) => plainText(titleOf(resource, row)))
    return wrapText(firstNames(names, namesShown, workspace), cells).map((one) => line(one, 'bold'))
  }

  const screen: Screen = {
    ...editor.screen(() => leave(null)),
    key: `prompt:${action.resource}:${action.name}`,
    layer: 'form',
    place() {
      const one = rows.length === 1 ? [plainText(titleOf(resource, firstItem(rows)))] : []
      return [say(textKey[resource.wire.shape](resource.name)), ...one, say(actionKey(action))]
    },
    count: () => (rows.length > 1 ? String(rows.length) : ''),
    hints: () => ({ ...editor.hints({ text: hintWord(translator, action) }), Escape: 'leave' }),
    commands: { save: submit, editor: editor.commands.editor },
    spoken: () => [...editor.spoken(), ...notes(spokenCells).map(lineText)],
    enter() {
      const named = Object.values(args.fields).flatMap((field) =>
        'to' in field ? (resourceByName(field.to) ?? []) : [],
      )
      loadMissing(records, named)
      return () => undefined
    },
    View: () => <FormView lay={(area) => editor.lay(area, { notes })} />,
  }
  return {
    answer: () =>
      new Promise((resolve) => {
        settle = resolve
        ui.push(screen)
        // A QR code fills the screen first; the form asks for the answer.
        const about = [say(textKey.preview(args.name)), ...(model.preview() ?? [])].join(' ')
        if (scanned !== undefined) showScan(ui, { text: scanned, about })
      }),
    refuse: editor.refuse,
  }
}

function showScan(ui: Ui, { text, about }: { text: string; about: string }): void {
  const overlay: Overlay = {
    layer: 'confirm',
    leaves: null,
    keys: { Enter: { hint: 'next', run: () => ui.close(overlay) }, Escape: () => ui.close(overlay) },
    spoken: () => [about],
    View: () => <Scan rows={qrLines(text)} about={about} />,
  }
  ui.open(overlay)
}

function Scan({ rows: code, about }: { rows: readonly string[]; about: string }) {
  const { columns, rows } = useArea()
  const width = code[0]?.length ?? 0
  if (code.length > rows || width > columns) return <Row line={line(` ${about}`)} />
  return <Rows lines={code.map((row) => [blank(Math.floor((columns - width) / 2)), span(row)])} />
}
