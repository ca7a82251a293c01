import { type Field, fieldKey, textKey } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { nounOf, problemSentence } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { placeholders } from '@qd/core/schemas'
import { type FormField, type FormModel, hasSecret } from '@qd/core/view'
import { editText } from '../../screen/state/actions.ts'
import { createState, observed } from '../../screen/state/observed.ts'
import { type Area, type Hint, type Hints, hintsIf } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { createTextInput, isTypable, longestTyped, type TextInput } from '../../screen/terminal/text-input.ts'
import { askToLeave } from '../views/confirm.ts'
import { createMenu } from '../views/menu.ts'
import { createOptionPicker, createPicker } from '../views/picker.ts'
import { clearKey, type InputKind, inputKindOf, spokenField } from './form-field.ts'
import { type Beside, layForm } from './form-layout.tsx'

function isTemplate(field: FormField | undefined): boolean {
  return field?.definition.kind === 'secret' && field.definition.template === true
}

export interface EditorWays {
  /** Starts outside its fields; Enter goes in. */
  readonly rests?: boolean
  /** Enter in a single-line command runs it. */
  readonly run?: () => void
}

/** The model, whose readers are drawn again after each of its changes. */
export function observedForm(model: FormModel): FormModel {
  return observed(model, ['set', 'setText', 'touch', 'submit', 'refuse'])
}

export function createFormEditor(ui: Ui, model: FormModel, { rests = false, run }: EditorWays = {}) {
  const { t, say } = ui.workspace
  const { shape } = model
  const state = createState({ focus: '', input: null as TextInput | null, isIn: !rests })
  let fieldAt: (row: number) => string | null = () => null
  takeFocus(fields()[0]?.field ?? '')

  function fields(): FormField[] {
    return model.groups().flatMap((group) => group.fields)
  }
  function focused(): FormField | undefined {
    return fields().find(({ field }) => field === state.focus)
  }
  function kindNow(): InputKind {
    const now = focused()
    return now ? inputKindOf(now.definition) : 'none'
  }
  const labelNow = () => say(fieldKey(shape, state.focus))
  function takeFocus(field: string): void {
    if (field !== state.focus) model.touch(state.focus)
    state.focus = field
    const kind = kindNow()
    const text = model.text(field)
    const isText = ['line', 'secret'].includes(kind) || (kind === 'editor' && isTypable(text))
    state.input = isText ? createTextInput(text) : null
  }
  function move(by: number): void {
    const names = fields().map(({ field }) => field)
    const next = names[(names.indexOf(state.focus) + by + names.length) % names.length]
    if (next !== undefined) takeFocus(next)
  }
  function set(value: unknown): void {
    model.set(state.focus, value)
  }
  function edit(): void {
    if (kindNow() !== 'editor') return
    const suffix = focused()!.definition.kind === 'command' ? '.sh' : '.txt'
    void ui.trying(async () => {
      const text = await editText(ui, model.text(state.focus), `${state.focus}${suffix}`)
      if (text !== null) model.setText(state.focus, text)
      // Validates what the editor returned.
      model.touch(state.focus)
      takeFocus(state.focus)
    })
  }
  function pick(typed = ''): void {
    const { definition, value, field } = focused()!
    if (definition.kind !== 'ref' && definition.kind !== 'refs') return
    const { to } = definition
    const many = definition.kind === 'refs'
    const chosen = many ? (value as readonly number[]) : value === 0 ? [] : [value as number]
    const done = (ids: readonly number[]) => set(many ? ids : (ids[0] ?? 0))
    /** Creates a missing record in a form on top and selects it. */
    const make = (name: string, ids: readonly number[]) => {
      done(many ? ids : chosen)
      const values = name === '' ? {} : { [resourceByName(to).title]: name }
      void ui.places.openForm({ resource: to, mode: 'create', id: null }, values, (id) => {
        if (id === null) return
        model.set(field, many ? [...ids, id] : id)
      })
    }
    ui.open(createPicker(ui, { to, title: labelNow(), many, chosen, typed, done, make }))
  }
  /** Goes on to the next field if there are none. */
  function pickOptions(): void {
    const done = (chosen: readonly string[]) => {
      set(chosen)
      takeFocus(state.focus)
    }
    const { definition, value } = focused()!
    const { options = [] } = definition as Field & { kind: 'list' }
    if (options.length === 0) move(1)
    else ui.open(createOptionPicker(ui, { title: labelNow(), options, chosen: value as readonly string[], done }))
  }
  const choices = () => Object.entries((focused()!.definition as Field & { kind: 'choice' }).options)
  function turn(by: number): void {
    const values = choices().map(([, value]) => value)
    set(values[(values.indexOf(focused()!.value as never) + by + values.length) % values.length])
  }
  function choose(): void {
    const now = focused()!.value
    const items = choices().map(([name, value]) => ({
      label: say(textKey.option(shape.name, state.focus, name)),
      chosen: value === now,
      run: () => set(value),
    }))
    ui.open(createMenu(ui, labelNow(), items))
  }
  const isNeeded = ({ definition }: FormField) => definition.kind === 'secret' && definition.needed === true
  function clearSecret(field: FormField): void {
    if (isNeeded(field)) ui.say(t('ui.secret.needed'), 'warn')
    else if (!hasSecret(model, field)) ui.say(t('ui.tui.secret.nothing'), 'warn')
    else set(field.value === null ? '' : null)
  }
  function clearHint(field: FormField | undefined): Hints {
    if (!field || isNeeded(field) || !hasSecret(model, field)) return {}
    const word = field.value === null ? 'ui.secret.keep' : field.value === '' ? 'ui.secret.clear' : null
    return word ? { [clearKey]: { text: nounOf(t(word), ui.workspace.language) } } : {}
  }
  function insert(): void {
    if (!isTemplate(focused())) return
    const items = placeholders.map((placeholder) => ({
      label: placeholder,
      run() {
        if (state.input?.input({ type: 'paste', text: placeholder })) model.setText(state.focus, state.input.text)
        else model.setText(state.focus, model.text(state.focus) + placeholder)
        takeFocus(state.focus)
      },
    }))
    ui.open(createMenu(ui, labelNow(), items))
  }
  const runsOnEnter = () => run !== undefined && state.input !== null && focused()?.definition.kind === 'command'
  const next = () => move(1)
  const opens: Readonly<Record<InputKind, () => void>> = {
    ...{ line: pickOptions, secret: next, none: next },
    ...{ editor: edit, picker: () => pick(), choice: choose },
    flag: () => set(!focused()!.value),
  }
  function enterKey(): void {
    if (runsOnEnter()) run?.()
    else if (!state.isIn && state.input) state.isIn = true
    else opens[kindNow()]()
  }
  const keys: Readonly<Record<string, () => void>> = {
    Tab: next,
    'Shift+Tab': () => move(-1),
    ArrowDown: next,
    ArrowUp: () => move(-1),
    Enter: enterKey,
  }
  function input(event: KeyEvent): void {
    const now = focused()
    if (!now || event.type === 'answer' || event.type === 'mouse') return
    const chord = event.type === 'key' ? event.chord : ''
    const kind = kindNow()
    const isKeyOfText = event.type === 'key' && !['flag', 'choice'].includes(kind) && chord !== clearKey
    if (!state.isIn && isKeyOfText) return
    if (event.type === 'paste') state.isIn = true
    const isEmptySecret = now.definition.kind === 'secret' && model.text(state.focus) === ''
    if (chord === clearKey && isEmptySecret) clearSecret(now)
    else if (kind === 'flag' && chord === 'Space') set(!now.value)
    else if (kind === 'choice' && ['ArrowRight', 'Space'].includes(chord)) turn(1)
    else if (kind === 'choice' && chord === 'ArrowLeft') turn(-1)
    else if (kind === 'picker' && (event.type === 'paste' || [...chord].length === 1))
      pick(event.type === 'paste' ? event.text : chord)
    else if (kind === 'picker' && ['Backspace', 'Delete'].includes(chord)) set(now.definition.kind === 'refs' ? [] : 0)
    else if (event.type === 'paste' && kind !== 'editor' && event.text.length > longestTyped)
      ui.say(t('ui.tui.form.tooLong', { count: longestTyped }), 'warn')
    else if (kind === 'editor' && event.type === 'paste' && !isTypable(event.text)) {
      model.setText(state.focus, event.text)
      takeFocus(state.focus)
    } else if (state.input?.input(event)) model.setText(state.focus, state.input.text)
  }
  const unsaved = () => model.changes().length
  const click = (row: number) => {
    const field = fieldAt(row)
    if (field !== null) takeFocus(field)
    return field !== null
  }
  return {
    commands: { next, previous: () => move(-1), editor: edit, insert },
    isIn: () => state.isIn,
    keys,
    input,
    click,
    /** What every screen of a form is; asks before `leave` if something would be lost. */
    screen: (leave: () => void) => ({
      ...{ resource: null, keys, input, click, unsaved, cliLine: model.cliLine, isTyping: () => state.isIn },
      escape() {
        if (rests && state.isIn) state.isIn = false
        else if (unsaved() === 0) leave()
        else void askToLeave(ui, unsaved()).then((goes) => goes && leave())
        return true
      },
    }),
    /** The valid values, or null after focusing the first error. */
    submit() {
      const submitted = model.submit()
      if (submitted.ok) return submitted.input
      if (submitted.first) takeFocus(submitted.first)
      const [problem] = submitted.problems
      const isWhole = submitted.first === null && problem
      ui.say(
        isWhole
          ? problemSentence(ui.workspace.translator, problem)
          : t('ui.form.attention', { count: submitted.problems.length }),
        'bad',
      )
      return null
    },
    refuse(error: AppError) {
      model.refuse(error)
      const [first] = model.shownProblems()
      if (first) takeFocus(first.field)
      ui.fail(error)
    },
    /** `go`: the word of what ends the form. */
    hints: (go: Hint): Hints => ({
      [state.isIn ? 'Tab' : 'j']: 'next',
      [state.isIn ? 'Shift+Tab' : 'k']: 'previous',
      ...hintsIf(!state.isIn, { Enter: 'editField' }),
      [runsOnEnter() ? 'Enter' : 'Ctrl+s']: go,
      ...hintsIf(kindNow() === 'editor', { 'Ctrl+o': 'editor' }),
      ...clearHint(focused()),
      ...hintsIf(isTemplate(focused()), { 'Ctrl+Space': 'placeholder' }),
      'Ctrl+y': 'copyCli',
    }),
    lay(area: Area, { notes = () => [], checks = () => [] }: Partial<Beside> = {}) {
      const laid = layForm(ui, {
        model,
        focus: state.focus,
        input: state.isIn ? state.input : null,
        area,
        notes,
        checks,
      })
      fieldAt = laid.fieldAt
      return laid
    },
    spoken() {
      const now = focused()
      return now ? spokenField(ui, model, now) : []
    },
  }
}
