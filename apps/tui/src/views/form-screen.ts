import { formLine, saveForm } from '@qd/core/actions'
import { type AnyRow, type Field, fieldKey, type Resource, textKey, titleOf } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { createForm, type FormField, type FormModel } from '@qd/core/view'
import { editText } from '../app/editor.ts'
import { watchWithNeeds } from '../app/needs.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { inputKinds } from '../fields/inputs.ts'
import type { KeyEvent } from '../terminal/keys.ts'
import { line } from '../terminal/line.ts'
import { createTextInput, type TextInput } from '../terminal/text-input.ts'
import { askToLeave } from './confirm.ts'
import { drawForm } from './form-draw.ts'
import { createMenu } from './menu.ts'
import { createPicker } from './picker.ts'
import { showSecret } from './secret.ts'
import { spokenField } from './spoken.ts'

/** What a form is opened with. */
export interface FormRequest {
  readonly resource: Resource
  readonly mode: 'create' | 'edit' | 'duplicate'
  readonly row: AnyRow | null
  /** Filled in already. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** A form to create, change or duplicate a record of any resource. */
export function createFormScreen(ui: Ui, { resource, mode, row, values = {} }: FormRequest): Screen {
  const { desk } = ui
  const { translator, records } = desk
  const { t, say } = translator
  const model: FormModel = createForm({
    resource,
    mode,
    row,
    view: desk.view,
    viewer: desk.session.viewer(),
    translator,
  })
  for (const [field, value] of Object.entries(values)) model.set(field, value)
  let focus = fields()[0]?.field ?? ''
  let input: TextInput | null = null
  let saving = false
  takeFocus(focus)

  function fields(): FormField[] {
    return model.groups().flatMap((group) => group.fields)
  }
  function focused(): FormField | undefined {
    return fields().find(({ field }) => field === focus)
  }
  function takeFocus(field: string): void {
    if (field !== focus) model.touch(focus)
    focus = field
    const now = focused()
    const kind = now && inputKinds[now.definition.kind]
    const isText = kind === 'line' || kind === 'secret' || (kind === 'editor' && !model.text(field).includes('\n'))
    input = isText ? createTextInput(model.text(field)) : null
  }
  function move(by: number): void {
    const names = fields().map(({ field }) => field)
    const next = names[(names.indexOf(focus) + by + names.length) % names.length]
    if (next !== undefined) takeFocus(next)
  }
  function set(value: unknown): void {
    model.set(focus, value)
  }

  async function edit(): Promise<void> {
    const now = focused()
    if (!now || inputKinds[now.definition.kind] !== 'editor') return
    try {
      const suffix = now.definition.kind === 'command' ? '.sh' : '.txt'
      const text = await editText(ui, model.text(focus), `${focus}${suffix}`)
      if (text !== null) model.setText(focus, text)
      takeFocus(focus)
    } catch (thrown) {
      ui.fail(toAppError(thrown))
    }
  }
  function pick(typed = ''): void {
    const definition = focused()!.definition
    if (definition.kind !== 'ref' && definition.kind !== 'refs') return
    const many = definition.kind === 'refs'
    const value = focused()!.value
    const chosen = many ? (value as readonly number[]) : value === 0 ? [] : [value as number]
    const done = (ids: readonly number[]) => {
      set(many ? ids : (ids[0] ?? 0))
      ui.changed()
    }
    const title = say(fieldKey(resource, focus))
    ui.open(createPicker(ui, { to: definition.to, title, many, chosen, typed, done }))
  }
  function choose(by: number | null): void {
    const { options } = focused()!.definition as Field & { kind: 'choice' }
    const entries = Object.entries(options)
    const at = entries.findIndex(([, value]) => value === focused()!.value)
    if (by !== null) {
      set(entries[(at + by + entries.length) % entries.length]![1])
      return
    }
    const items = entries.map(([name, value], index) => ({
      label: say(textKey.option(resource.name, focus, name)),
      chosen: index === at,
      run: () => set(value),
    }))
    ui.open(createMenu(ui, say(fieldKey(resource, focus)), items))
  }

  async function save(): Promise<void> {
    if (saving) return
    const submitted = model.submit()
    if (!submitted.ok) {
      if (submitted.first) takeFocus(submitted.first)
      return ui.say(t('ui.form.attention', { count: submitted.problems.length }), 'bad')
    }
    if (desk.readOnly) return ui.say(t('ui.tui.readOnlyReason'), 'warn')
    saving = true
    const supports = (capability: string) => desk.session.supports(capability)
    try {
      const saved = await ui.during(
        saveForm({ api: desk.client, resource, mode, base: model.base, input: submitted.input, supports }),
      )
      if (ui.desk !== desk) return
      if (ui.screen === screen) leave()
      const name = plainText(String(submitted.input[resource.title] ?? (row ? titleOf(resource, row) : '')))
      const text = t('ui.tui.saved', { name: name || say(textKey.one(resource.name)) })
      const { undo, secret } = saved
      if (secret) showSecret(ui, { label: say(fieldKey(resource, secret.field)), text: secret.text })
      if (undo) ui.offerUndo({ text, run: () => takeBack(undo) })
      else ui.say(text, 'ok')
      await records.refresh([resource.name])
    } catch (thrown) {
      refuse(toAppError(thrown))
    } finally {
      saving = false
      ui.changed()
    }
  }
  async function takeBack(undo: () => Promise<void>): Promise<void> {
    await undo()
    await records.refresh([resource.name])
  }
  function refuse(error: AppError): void {
    model.refuse(error)
    const [first] = model.shownProblems()
    if (first) takeFocus(first.field)
    ui.fail(error)
  }
  function leave(): void {
    if (!ui.pop()) ui.goPrevious()
  }

  const keys: Readonly<Record<string, () => void>> = {
    Tab: () => move(1),
    'Shift+Tab': () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: enterKey,
  }
  function enterKey(): void {
    const kind = inputKinds[focused()?.definition.kind ?? 'text']
    if (kind === 'editor') void edit()
    else if (kind === 'picker') pick()
    else if (kind === 'choice') choose(null)
    else if (kind === 'flag') set(!focused()!.value)
    else move(1)
  }
  function ownKey(event: KeyEvent): void {
    const now = focused()
    if (!now || event.type === 'answer') return
    const chord = event.type === 'key' ? event.chord : ''
    const kind = inputKinds[now.definition.kind]
    if (kind === 'flag' && chord === 'Space') set(!now.value)
    else if (kind === 'choice' && ['ArrowRight', 'Space'].includes(chord)) choose(1)
    else if (kind === 'choice' && chord === 'ArrowLeft') choose(-1)
    else if (kind === 'picker' && (event.type === 'paste' || [...chord].length === 1))
      pick(event.type === 'paste' ? event.text : chord)
    else if (kind === 'picker' && ['Backspace', 'Delete'].includes(chord)) set(now.definition.kind === 'refs' ? [] : 0)
    else if (kind === 'editor' && event.type === 'paste' && event.text.includes('\n')) {
      model.setText(focus, event.text)
      takeFocus(focus)
    } else if (input?.input(event)) model.setText(focus, input.text)
  }

  const screen: Screen = {
    key: `form:${resource.name}:${mode}:${row?.id ?? ''}`,
    layer: 'form',
    resource: null,
    place() {
      if (resource.wire.shape === 'one') return [say(textKey.one(resource.name))]
      const list = say(textKey.many(resource.name))
      const name = row && mode === 'edit' ? [plainText(titleOf(resource, row))] : []
      return [list, ...name, t(`ui.tui.modes.${mode}`)]
    },
    count: () => '',
    summary(short) {
      const changed = model.changes()
      if (changed.length === 0) return []
      const names = desk.format.list(
        changed.map((field) => say(fieldKey(resource, field)).toLocaleLowerCase(translator.language)),
      )
      return line(t(short ? 'ui.tui.form.changes' : 'ui.form.changes', { count: changed.length, names }), 'muted')
    },
    isTyping: () => true,
    hints: () => [
      { chord: 'Tab', label: t('ui.tui.hints.next') },
      { chord: 'Shift+Tab', label: t('ui.tui.hints.previous') },
      { chord: 'Ctrl+s', label: t('ui.tui.hints.save') },
      ...(focused() && inputKinds[focused()!.definition.kind] === 'editor'
        ? [{ chord: 'Ctrl+e', label: t('ui.tui.hints.editor') }]
        : []),
      { chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.leave') },
    ],
    spoken() {
      const now = focused()
      return now ? spokenField(ui, model, now) : []
    },
    command({ command }) {
      if (command === 'save') void save()
      else if (command === 'editor') void edit()
      else return false
      ui.changed()
      return true
    },
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) key()
      else ownKey(event)
      ui.changed()
    },
    escape() {
      if (model.changes().length === 0) leave()
      else void askToLeave(ui, model.changes().length).then((goes) => goes && ui.screen === screen && leave())
      return true
    },
    enter: () => watchWithNeeds(records, resource),
    cliLine: () => formLine({ resource, mode, base: row, values: model.sent(), view: desk.view }),
    draw: (area) => drawForm(ui, { model, focus, input, saving, area, cliLine: screen.cliLine()! }),
  }
  return screen
}
