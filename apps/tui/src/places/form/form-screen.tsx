import { type AnyRow, fieldKey, type Resource, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { nounOf } from '@qd/core/i18n'
import { resourceByName, server } from '@qd/core/resources'
import { loadMissing, watchWithNeeds } from '@qd/core/store'
import { createForm, presentCell } from '@qd/core/view'
import { type Area, hintsIf, type Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, type Line, line, span } from '../../screen/terminal/line.ts'
import { askToLeave } from '../views/confirm.ts'
import { showText } from '../views/text-box.tsx'
import { createFormEditor, observedForm } from './form-editor.ts'
import { FormView } from './form-layout.tsx'
import { createServerChecks } from './form-server-checks.ts'

export interface FormRequest {
  readonly resource: Resource
  readonly mode: 'create' | 'edit' | 'duplicate'
  readonly row: AnyRow | null
  readonly values?: Readonly<Record<string, unknown>>
  onSaved?(id: number | null): void
}

const leads = (command: string) =>
  command.startsWith('go:') || ['previousView', 'previousTab', 'nextTab'].includes(command)

export function createFormScreen(ui: Ui, { resource, mode, row, values = {}, onSaved }: FormRequest): Screen {
  const { workspace } = ui
  const { translator, records, t, say } = workspace
  const model = observedForm(
    createForm({
      resource,
      mode,
      row,
      view: workspace.view,
      viewer: workspace.session.viewer(),
      translator,
      supports: (capability) => workspace.session.supports(capability),
    }),
  )
  for (const [field, value] of Object.entries(values)) model.set(field, value)
  /** Settings are read more often than changed: page keys work until Enter opens a field. */
  const rests = resource.wire.shape === 'one'
  const editor = createFormEditor(ui, model, { rests })
  const checks = createServerChecks(ui, model)
  let saving = false

  async function save(): Promise<void> {
    if (saving) return
    const input = editor.submit()
    if (!input) return
    if (workspace.readOnly) return ui.say(t('ui.tui.readOnlyReason'), 'warn')
    saving = true
    const report = await ui.during(workspace.runner.save({ resource, mode, base: model.base, input }))
    saving = false
    if (report.kind === 'failed') return editor.refuse(report.error)
    if (ui.workspace !== workspace) return
    leave()
    const { id, undo, secret } = report.saved
    onSaved?.(id)
    if (secret)
      showText(ui, {
        title: `${say(fieldKey(resource, secret.field))}: ${t('ui.secret.title')}`,
        help: t('ui.secret.help'),
        text: secret.text,
        close: t('ui.secret.saved'),
        isOnce: true,
      })
    const name = plainText(String(input[resource.title] ?? (row ? titleOf(resource, row) : '')))
    const text = t('ui.tui.saved', { name: name || say(textKey.one(resource.name)) })
    if (undo) ui.offerUndo(text)
    else ui.say(text, 'ok')
  }
  function facts(): Line {
    const names = resource.columns.map(({ field }) => field).filter((name) => !(name in resource.input.shape))
    if (!row || resource.wire.shape === 'many') return []
    return names.flatMap((field, index) => [
      blank(index === 0 ? 0 : 2),
      span(`${say(fieldKey(resource, field))} `, 'muted'),
      span(presentCell(workspace.surface(), { resource, row, field }).text),
    ])
  }
  function leave(): void {
    if (ui.screen === screen && !ui.pop()) ui.goPrevious()
  }

  function askToGo(command: string): void {
    void askToLeave(ui, model.changes().length).then((goes) => {
      if (!goes || ui.screen !== screen) return
      leave()
      const to = resourceByName(command.replace(/^go:/, ''))
      if (to) ui.places.goTo(to)
    })
  }

  const lay = (area: Area) => {
    checks.follow()
    return editor.lay(area, { checks: checks.lines })
  }

  const screen: Screen = {
    ...editor.screen(leave),
    key: `form:${resource.name}:${mode}:${row?.id ?? ''}`,
    get layer() {
      return editor.isIn() ? ('form' as const) : ('page' as const)
    },
    place() {
      if (resource.wire.shape === 'one') return [say(textKey.one(resource.name))]
      const list = say(textKey.many(resource.name))
      const name = row && mode === 'edit' ? [plainText(titleOf(resource, row))] : []
      return [list, ...name, t(`ui.tui.modes.${mode}`)]
    },
    summary(short) {
      const changed = model.changes()
      if (changed.length === 0) return short ? [] : facts()
      const names = workspace.format.list(
        changed.map((field) => nounOf(say(fieldKey(resource, field)), translator.language)),
      )
      return line(t(short ? 'ui.tui.form.changes' : 'ui.form.changes', { count: changed.length, names }), 'muted')
    },
    hints: () => ({
      ...editor.hints('save'),
      ...checks.hints(),
      ...hintsIf(!editor.isIn(), { '?': 'keys' }),
      Escape: rests && editor.isIn() ? 'leaveField' : 'leave',
    }),
    commands: { ...editor.commands, save: () => void save(), testDraft: checks.ask },
    command({ command }) {
      const isAsked = leads(command) && model.changes().length > 0
      if (isAsked) askToGo(command)
      return isAsked
    },
    spoken() {
      checks.follow()
      return [...editor.spoken(), ...checks.texts()]
    },
    enter() {
      const stop = watchWithNeeds(records, resource)
      loadMissing(records, [server])
      return () => {
        stop()
        checks.stop()
      }
    },
    View: () => <FormView lay={lay} />,
  }
  return screen
}
