import { formLine } from '../actions/index.ts'
import type { AnyRow, Field, Resource, View, Viewer } from '../define/index.ts'
import type { AppError, Problem } from '../errors/index.ts'
import { checkInput, inputText, type ParseContext, parseInput } from '../fields/index.ts'
import type { Translator } from '../i18n/index.ts'
import { type FormMode, sameValue, sentValues, startingValues, type Values, visibleFields } from './form-values.ts'
import { type FormReach, type FormRuns, reachOfForm, runsOfForm } from './preview.ts'

/** One input as it stands. */
export interface FormField {
  readonly field: string
  readonly definition: Field
  readonly value: unknown
  /** What to say under it: only of fields that were left, or after a try to save. */
  readonly problem: Problem | null
  readonly changed: boolean
  /** It cannot be left empty. */
  readonly required: boolean
  readonly wide: boolean
}

/** A group of inputs that are to be shown now; its legend is at `resources.<name>.groups.<group>`. */
export interface FormGroupState {
  readonly group: string
  readonly fields: readonly FormField[]
}

/** Valid input, or all problems and the field to go to. */
export type Submitted =
  | { readonly ok: true; readonly input: Values }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly first: string | null }

/** A form without looks: whoever draws it asks again after every call that changes it. */
export interface FormModel {
  readonly resource: Resource
  readonly mode: FormMode
  /** The record that an edit changes, as it was when the form opened: for `If-Match` and undo. */
  readonly base: AnyRow | null
  /** All input values as typed, fields out of sight included. */
  values(): Values
  set(field: string, value: unknown): void
  /** What a text input shows: what is being typed, or the value's text. */
  text(field: string): string
  /** Takes what was typed; text that cannot be read stays as it is, with its problem. */
  setText(field: string, text: string): void
  /** The person left the field: from now on its problem is shown. */
  touch(field: string): void
  groups(): FormGroupState[]
  /** Everything that is wrong, in the form's order. */
  problems(): Problem[]
  /** Problems to show now, of fields left or refused. */
  shownProblems(): Problem[]
  /** Names of the visible fields that differ from what the form began with. */
  changes(): string[]
  /** A try to save: from now on every problem is shown. */
  submit(): Submitted
  /** What would be sent as it stands, checked or not: for "copy as CLI" and the dry run. */
  sent(): Values
  /** The `qd` line that does the same, without secrets. */
  cliLine(): string
  /** Takes over what the server refused; each problem goes away when its field is changed. */
  refuse(error: AppError): void
  /** Which servers the record as typed will reach; null where it reaches none. */
  reach(): FormReach | null
  /** When the record as typed comes due; null where it has no schedule. */
  runs(): FormRuns | null
}

/** Opens a form. `row` is the record to edit or to duplicate. */
export function createForm({
  resource,
  mode,
  row = null,
  view,
  viewer,
  translator,
}: {
  resource: Resource
  mode: FormMode
  row?: AnyRow | null
  view: View
  viewer: Viewer
  translator: Translator
}): FormModel {
  const start = startingValues({ resource, mode, row, view, translator })
  const base = mode === 'edit' ? row : null
  const typed = new Map<string, { text: string; problem: Problem | null }>()
  const touched = new Set<string>()
  let values: Values = start
  let refused: readonly Problem[] = []
  let tried = false

  const context = (field: string): ParseContext => ({ fieldName: field, view })
  const by = () => ({ view, viewer, row: base ?? undefined })
  const changed = (field: string) => !sameValue(values[field], start[field], resource.fields[field]?.kind)
  const assign = (field: string, value: unknown) => {
    values = { ...values, [field]: value }
    refused = refused.filter((problem) => problem.field !== field)
  }

  const problems = (): Problem[] => {
    const visible = visibleFields(resource, values)
    const unread = visible.flatMap((field) => typed.get(field)?.problem ?? [])
    const checked = checkInput(resource.input, sentValues(resource, values))
    const found = [...unread, ...refused, ...(checked.ok ? [] : checked.problems)]
    const first = found.filter(({ field }, index) => found.findIndex((problem) => problem.field === field) === index)
    const place = ({ field }: Problem) => visible.indexOf(field)
    return first.sort((a, b) => place(a) - place(b))
  }
  const isShown = ({ field }: Problem) =>
    tried || touched.has(field) || refused.some((problem) => problem.field === field)

  const model: FormModel = {
    resource,
    mode,
    base,
    values: () => values,
    set(field, value) {
      typed.delete(field)
      assign(field, value)
    },
    text: (field) => typed.get(field)?.text ?? inputText(resource.fields[field]!, values[field], context(field)),
    setText(field, text) {
      const parsed = parseInput(resource.fields[field]!, text, context(field))
      typed.set(field, { text, problem: parsed.ok ? null : parsed.problem })
      assign(field, parsed.ok ? parsed.value : values[field])
    },
    touch: (field) => void touched.add(field),
    groups() {
      const visible = new Set(visibleFields(resource, values))
      const shown = model.shownProblems()
      const groups = resource.form.map(({ group, fields }) => ({
        group,
        fields: fields
          .filter(({ field }) => visible.has(field))
          .map(({ field, wide }) => ({
            field,
            definition: resource.fields[field]!,
            value: values[field],
            problem: shown.find((problem) => problem.field === field) ?? null,
            changed: changed(field),
            required: isRequired(resource, field),
            wide,
          })),
      }))
      return groups.filter(({ fields }) => fields.length > 0)
    },
    problems,
    shownProblems: () => problems().filter(isShown),
    changes: () => visibleFields(resource, values).filter(changed),
    submit() {
      tried = true
      refused = []
      const found = problems()
      if (found.length > 0) return { ok: false, problems: found, first: firstVisible(found, resource, values) }
      const checked = checkInput(resource.input, sentValues(resource, values))
      return checked.ok ? checked : { ok: false, problems: checked.problems, first: null }
    },
    sent: () => sentValues(resource, values),
    cliLine: () => formLine({ resource, mode, base: row, values: sentValues(resource, values), view }),
    refuse(error) {
      refused = error.problems
    },
    reach: () => reachOfForm(resource, values, by()),
    runs: () => runsOfForm(resource, values, by()),
  }
  return model
}

function firstVisible(problems: readonly Problem[], resource: Resource, values: Values): string | null {
  const visible = visibleFields(resource, values)
  return problems.find(({ field }) => visible.includes(field))?.field ?? null
}

/** True when the schema refuses an empty text there. */
function isRequired(resource: Resource, field: string): boolean {
  const schema = resource.input.shape[field] as { safeParse(value: unknown): { success: boolean } } | undefined
  return typeof resource.initial[field] === 'string' && schema !== undefined && !schema.safeParse('').success
}
