import { actionLine, formLine, type Unread } from '../actions/index.ts'
import {
  type Action,
  type AnyRow,
  type Arguments,
  type Field,
  type FormShape,
  fieldOf,
  type Resource,
  type Values,
  type View,
  type Viewer,
} from '../define/index.ts'
import type { AppError, Problem } from '../errors.ts'
import { checkInput, checkRecord, inputText, missingSecrets, type ParseContext, parseInput } from '../fields/index.ts'
import { createFormat, type Format, type Translator } from '../i18n/index.ts'
import {
  type FormMode,
  filledByChoice,
  firstVisible,
  sameValue,
  sentValues,
  startingValues,
  visibleFields,
  withoutUnsupported,
} from './form-values.ts'
import { type FormRuns, type FormTargets, runsOfForm, targetsOfAction, targetsOfForm } from './preview.ts'

export interface FormField {
  readonly field: string
  readonly definition: Field
  readonly value: unknown
  /** Only for fields that were left, or after a try to save. */
  readonly problem: Problem | null
  readonly changed: boolean
  readonly required: boolean
  readonly wide: boolean
}

/** A visible group of fields; its legend is at `resources.<name>.groups.<group>`. */
export interface FormGroupState {
  readonly group: string
  readonly fields: readonly FormField[]
}

export type Submitted =
  | { readonly ok: true; readonly input: Values }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly first: string | null }

/** A form without presentation: whoever draws it reads it again after every change. */
export interface FormModel {
  readonly shape: FormShape
  /** The resource to save; null for the arguments of an action. */
  readonly resource: Resource | null
  readonly mode: FormMode
  /** The record as it was when the form opened: for `If-Match` and undo. */
  readonly base: AnyRow | null
  values(): Values
  set(field: string, value: unknown): void
  text(field: string): string
  /** Text that can’t be parsed stays as it is, with its problem. */
  setText(field: string, text: string): void
  touch(field: string): void
  groups(): FormGroupState[]
  problems(): Problem[]
  /** Problems of fields that were left or refused. */
  shownProblems(): Problem[]
  /** The visible fields that differ from the start. */
  changes(): string[]
  /** Tries to save: shows every problem from now on. */
  submit(): Submitted
  /** The values to send, valid or not: for "copy as CLI" and the dry run. */
  sent(): Values
  /** The same as a `qd` command, without secrets. */
  cliLine(): string
  /** Shows what the server refused; each problem disappears when its field changes. */
  refuse(error: AppError): void
  /** Null if the record targets no servers. */
  targetPreview(): FormTargets | null
  /** The effect in short texts, titled `textKey.preview(shape.name)`; null if the form has no preview. */
  preview(): readonly string[] | null
  /** Null if the record has no schedule. */
  runs(): FormRuns | null
}

export function createForm({
  resource,
  mode,
  row = null,
  view,
  viewer,
  translator,
  supports = () => true,
}: {
  resource: Resource
  mode: FormMode
  row?: AnyRow | null
  view: View
  viewer: Viewer
  translator: Translator
  /** Fields that need other capabilities are left out. Default: everything is supported. */
  supports?(capability: string): boolean
}): FormModel {
  const base = mode === 'edit' ? row : null
  const by = () => ({ view, viewer, row: base ?? undefined })
  let format: Format | undefined
  const said = () => {
    format ??= createFormat({ translator })
    return { translator, format, view }
  }
  return buildForm({
    shape: withoutUnsupported(resource, supports),
    resource,
    mode,
    base,
    start: startingValues({ resource, mode, row, view, translator }),
    sends: 'all',
    view,
    fill: (values, field) => filledByChoice(resource, values, { field, view }),
    cliLine: (sent, unread) => formLine({ resource, mode, base: row, values: sent, view, unread }),
    targetPreview: (values) => targetsOfForm(resource, values, by()),
    runs: (values) => runsOfForm(resource, values, by()),
    preview: (values) => resource.preview?.(values, said()) ?? null,
  })
}

/** A form for the arguments of an action; `start` are its initial values. */
export function createArgumentsForm({
  action,
  args,
  resource,
  rows,
  start,
  view,
  viewer,
  translator,
}: {
  action: Action
  args: Arguments
  resource: Resource
  rows: readonly AnyRow[]
  start: Values
  view: View
  viewer: Viewer
  translator: Translator
}): FormModel {
  return buildForm({
    shape: withoutUnsupported(args, (name) => view.supports?.(name) ?? true),
    resource: null,
    mode: 'create',
    base: null,
    start,
    sends: args.sends,
    view,
    fill: () => ({}),
    cliLine: (sent, unread) => actionLine(action, rows, view, sent, unread),
    targetPreview: () => targetsOfAction(action, resource, rows, { view, viewer }),
    runs: () => null,
    preview: (values) => args.preview?.(values, translator, { rows, view }) ?? null,
  })
}

interface FormSource extends Pick<FormModel, 'shape' | 'resource' | 'mode' | 'base'>, Pick<Arguments, 'sends'> {
  start: Values
  view: View
  fill(values: Values, field: string): Values
  cliLine(sent: Values, unread: Unread): string
  targetPreview(values: Values): FormTargets | null
  runs(values: Values): FormRuns | null
  preview(values: Values): readonly string[] | null
}

function buildForm({ shape, resource, mode, base, start, sends, view, cliLine, ...source }: FormSource): FormModel {
  const typed = new Map<string, { text: string; problem: Problem | null }>()
  const touched = new Set<string>()
  let values: Values = start
  let refused: readonly Problem[] = []
  let tried = false

  const context = (field: string): ParseContext => ({ fieldName: field, view, from: startOf(shape, field, values) })
  const given = new Set<string>()
  // When the start is only a guess for several servers, setting any value is a change.
  const changed = (field: string) =>
    // Unparsable input is a change too.
    typed.get(field)?.problem != null ||
    (sends === 'changed' ? given.has(field) : !sameValue(values[field], start[field], shape.fields[field]?.kind))
  const assign = (field: string, value: unknown) => {
    given.add(field)
    values = { ...values, [field]: value }
    const filled = source.fill(values, field)
    for (const other of Object.keys(filled)) typed.delete(other)
    values = { ...values, ...filled }
    refused = refused.filter((problem) => problem.field !== field)
    // A duration typed after this field counts from it.
    for (const [other, { text }] of typed) if (isAfter(shape, other, field)) model.setText(other, text)
  }
  const sent = (): Values => {
    const typedNow = sentValues(shape, values, base && start)
    const all = { ...typedNow, ...source.fill(typedNow, 'follows') }
    return sends === 'all' ? all : Object.fromEntries(Object.entries(all).filter(([field]) => changed(field)))
  }

  const check = () => (resource ? checkRecord(resource, sent(), base) : checkInput(shape.input, sent()))
  const problems = (): Problem[] => {
    const visible = visibleFields(shape, values)
    const unread = visible.flatMap((field) => typed.get(field)?.problem ?? [])
    const checked = check()
    const nothing: Problem[] =
      sends === 'changed' && !visible.some(changed) ? [{ field: '', code: 'nothingChanged' }] : []
    const missing = mode === 'edit' ? [] : missingSecrets(shape, values)
    const found = [...unread, ...refused, ...missing, ...(checked.ok ? nothing : checked.problems)]
    const first = found.filter(({ field }, index) => found.findIndex((problem) => problem.field === field) === index)
    const place = ({ field }: Problem) => visible.indexOf(field)
    return first.sort((a, b) => place(a) - place(b))
  }
  const isShown = ({ field }: Problem) =>
    tried || touched.has(field) || refused.some((problem) => problem.field === field)

  const model: FormModel = {
    shape,
    resource,
    mode,
    base,
    values: () => values,
    set(field, value) {
      typed.delete(field)
      assign(field, value)
    },
    text: (field) => typed.get(field)?.text ?? inputText(fieldOf(shape, field), values[field], context(field)),
    setText(field, text) {
      const parsed = parseInput(fieldOf(shape, field), text, context(field))
      typed.set(field, { text, problem: parsed.ok ? null : parsed.problem })
      assign(field, parsed.ok ? parsed.value : values[field])
    },
    touch: (field) => void touched.add(field),
    groups() {
      const visible = new Set(visibleFields(shape, values))
      const shown = model.shownProblems()
      const groups = shape.form.map(({ group, fields }) => ({
        group,
        fields: fields
          .filter(({ field }) => visible.has(field))
          .map(({ field, wide }) => ({
            field,
            definition: fieldOf(shape, field),
            value: values[field],
            problem: shown.find((problem) => problem.field === field) ?? null,
            changed: changed(field),
            required: isRequired(shape, field, mode),
            wide,
          })),
      }))
      return groups.filter(({ fields }) => fields.length > 0)
    },
    problems,
    shownProblems: () => problems().filter(isShown),
    changes: () => visibleFields(shape, values).filter(changed),
    submit() {
      tried = true
      refused = []
      const found = problems()
      if (found.length > 0) return { ok: false, problems: found, first: firstVisible(found, shape, values) }
      const checked = check()
      return checked.ok ? checked : { ok: false, problems: checked.problems, first: null }
    },
    sent,
    cliLine() {
      const unread = [...typed].flatMap(([field, { text, problem }]) => (problem ? [[field, text] as const] : []))
      return cliLine(sent(), new Map(unread))
    },
    refuse(error) {
      refused = error.problems
    },
    targetPreview: () => source.targetPreview(values),
    runs: () => source.runs(values),
    preview: () => source.preview(values),
  }
  return model
}

/** Whether the schema refuses an empty text. */
function isRequired(shape: FormShape, field: string, mode: FormMode): boolean {
  const definition = shape.fields[field]
  if (definition?.kind === 'secret' && definition.needed) return mode !== 'edit'
  const schema = shape.input.shape[field] as { safeParse(value: unknown): { success: boolean } } | undefined
  return typeof shape.initial[field] === 'string' && schema !== undefined && !schema.safeParse('').success
}

function isAfter({ fields }: FormShape, field: string, start: string): boolean {
  const definition = fields[field]
  return definition?.kind === 'instant' && definition.after === start
}

/** The time that durations typed into this field count from; undefined for now. */
function startOf({ fields }: FormShape, field: string, values: Values): number | undefined {
  const definition = fields[field]
  const start = definition?.kind === 'instant' && definition.after ? Date.parse(String(values[definition.after])) : NaN
  return Number.isNaN(start) ? undefined : start
}

/** Whether a form’s record has this secret: then it is required or `has` says so. */
export function hasSecret({ base }: Pick<FormModel, 'base'>, { definition }: Pick<FormField, 'definition'>): boolean {
  if (definition.kind !== 'secret' || base === null) return false
  return definition.needed === true || (definition.has !== undefined && base[definition.has] === true)
}
