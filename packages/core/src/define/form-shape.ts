import type * as z from 'zod'
import type { Translator } from '../i18n/index.ts'
import type { Field, FieldFor } from './fields.ts'
import { zeroOf } from './read.ts'
import type { AnyRow, View } from './row.ts'
import { lazy } from './schema.ts'
import type { When } from './when.ts'
import type { ActionContext } from './wire.ts'

export type Values = Readonly<Record<string, unknown>>

/** The visible groups of a form, with their legends at `resources.<name>.groups.<group>`, and the fields of each; `when`: shown only then. */
export type FormDefinition<Row> = Readonly<
  Record<string, readonly ((keyof Row & string) | { readonly field: keyof Row & string; readonly when: When<Row> })[]>
>

/** A form: of a resource, or of an action’s arguments. */
export interface FormShape {
  /** Text key below `resources.`: a resource’s name, or `<resource>.args.<action>`. */
  readonly name: string
  readonly fields: Readonly<Record<string, Field>>
  readonly input: z.ZodObject
  readonly initial: Values
  readonly form: readonly {
    readonly group: string
    readonly fields: readonly {
      readonly field: string
      readonly when: When<AnyRow>
      readonly wide: boolean
    }[]
  }[]
}

/** Every record has an ID, even if its resource doesn’t list it. Throws for any other unknown name. */
export function fieldOf({ name: shape, fields }: { name?: string; fields: FormShape['fields'] }, name: string): Field {
  const field = fields[name]
  if (field) return field
  if (name === 'id') return { kind: 'number' }
  throw new Error(`${shape ?? 'the form'} has no field “${name}”`)
}

export interface ArgumentsDefinition<I extends z.ZodObject, Row = AnyRow> {
  /** Strict and lazy. With `sends: 'changed'` every key is optional. */
  input: () => I
  /** Starting values. Default of each: its kind's zero. */
  initial?: { [K in keyof z.output<I>]?: NonNullable<z.output<I>[K]> }
  fields: { [K in keyof z.output<I> & string]-?: FieldFor<NonNullable<z.output<I>[K]>> }
  form: FormDefinition<z.output<I>>
  /** The CLI’s positional argument. */
  word?: keyof z.output<I> & string
  /** `changed`: passes only what differs from the start (default all). */
  sends?: 'all' | 'changed'
  /** Loads initial values. Errors: AppError, which closes the form. */
  load?(context: ActionContext, rows: readonly Row[]): Promise<Partial<z.output<I>>>
  /** A text shown as a QR code. */
  scan?(values: Values): string
  /** The effect of the typed values; titled `resources.<name>.args.<action>.preview`. */
  preview?(values: Values, translator: Translator, around: PreviewAround<Row>): readonly string[]
}

export interface PreviewAround<Row = AnyRow> {
  readonly rows: readonly Row[]
  readonly view: View
}

export interface Arguments extends FormShape {
  readonly sends: 'all' | 'changed'
  readonly word: string | null
  start(context: ActionContext, rows: readonly AnyRow[]): Promise<Values>
  readonly scan: ((values: Values) => string) | null
  readonly preview: ((values: Values, translator: Translator, around: PreviewAround) => readonly string[]) | null
}

export function completeForm<Row>(definition: FormDefinition<Row>, fields: FormShape['fields']): FormShape['form'] {
  return Object.entries(definition).map(([group, entries]) => ({
    group,
    fields: entries.map((entry) => {
      const { field, when = {} } = typeof entry === 'string' ? { field: entry } : entry
      return { field, when: when as When<AnyRow>, wide: fields[field]?.wide ?? false }
    }),
  }))
}

/** The starting values of a form: the zero of each field's kind unless its author says another. */
export function completeInitial({ shape }: z.ZodObject, fields: FormShape['fields'], given: Values = {}): Values {
  const zeros = Object.keys(shape).map((name) => [name, zeroOf(fieldOf({ fields }, name).kind)])
  return { ...Object.fromEntries(zeros), ...given }
}

export function completeArguments(
  { resource, action }: { resource: string; action: string },
  definition: ArgumentsDefinition<z.ZodObject>,
): Arguments {
  const fields = definition.fields as Readonly<Record<string, Field>>
  const input = lazy(definition.input)
  const initial = lazy(() => completeInitial(input(), fields, definition.initial as Values))
  return {
    name: `${resource}.args.${action}`,
    fields,
    get input() {
      return input()
    },
    get initial() {
      return initial()
    },
    form: completeForm(definition.form, fields),
    sends: definition.sends ?? 'all',
    word: definition.word ?? null,
    start: async (context, rows) => ({ ...initial(), ...(await definition.load?.(context, rows)) }),
    scan: definition.scan ?? null,
    preview: definition.preview ?? null,
  }
}
