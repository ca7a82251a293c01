import * as z from 'zod'
import type { ActionDefinition } from './action.ts'
import { completeDetail } from './complete-detail.ts'
import type { Detail } from './detail.ts'
import type { Field } from './fields.ts'
import { completeForm, completeInitial, type FormDefinition, fieldOf, type Values } from './form-shape.ts'
import type { ResourceName } from './names.ts'
import { readSchema } from './read.ts'
import type { Defined, Resource, ResourceDefinition, Shape, Slots } from './resource.ts'
import type { AnyRow } from './row.ts'
import { lazy } from './schema.ts'
import { completeActions } from './standard.ts'
import { completeWire, type WireDefinition } from './wire.ts'

/** The parts of a definition that its row types, without those types. */
interface Untyped extends Partial<Slots<AnyRow, string, Values>>, Partial<Pick<Resource, 'title' | 'sort' | 'state'>> {
  readonly fields: Readonly<Record<string, Field>>
  readonly derived?: Readonly<Record<string, Field & { from: Resource['derived'][string] }>>
  readonly initial?: Values
  readonly columns: readonly string[]
  readonly form?: FormDefinition<AnyRow>
  readonly actions?: Readonly<Record<string, Partial<ActionDefinition<AnyRow>>>>
}

type AnyDefinition = Omit<ResourceDefinition<z.ZodObject, Shape, string>, keyof Untyped> & Untyped

const defaults = {
  go: null,
  aliases: [],
  presets: {},
  search: [],
  facet: null,
  counted: null,
  trial: null,
  identity: null,
  together: false,
  pages: false,
  targets: null,
  about: null,
  idle: null,
  withTargets: null,
  validate: null,
  owned: null,
  state: null,
  family: null,
  tab: false,
  place: 'tab',
  requires: null,
  needsSession: false,
  stepUp: [],
  cli: {},
  preview: null,
  serverChecks: {},
  host: null,
} satisfies Partial<Resource>

/** Fills defaults, and derives the read schema and the standard actions. */
export function defineResource<
  const N extends ResourceName,
  I extends z.ZodObject = z.ZodObject,
  A extends Shape = Shape,
  D extends string = never,
  X extends object = object,
  const W extends WireDefinition = object,
>(typed: ResourceDefinition<I, A, D, X, W> & { readonly name: N }): Defined<N, I, A, D, X, W> {
  const definition = typed as unknown as AnyDefinition
  const {
    input: makeInput = () => z.strictObject({}),
    added: _added,
    initial: starts,
    open,
    actions: own = {},
    detail,
    ...given
  } = definition
  const { name, title = 'name', fields: stored, derived = {}, form = {} } = given
  const fields = { ...stored, ...derived }
  const input = lazy(makeInput)
  const initial = lazy(() => completeInitial(input(), fields, starts))
  const made: { read?: z.ZodType<AnyRow>; detail?: Detail; actions?: Resource['actions'] } = {}
  // Lazy, so that a program that starts for one list doesn’t pay for all.
  const resource = {
    ...defaults,
    ...given,
    title,
    path: given.path ?? `/dashboard/${name}`,
    sort: given.sort ?? { field: title, order: 'asc' as const },
    fields,
    derived: Object.fromEntries(Object.entries(derived).map(([field, { from }]) => [field, from])),
    columns: given.columns.map((field) => {
      const { show = 'normal', live = false } = fieldOf({ name, fields }, field)
      return { field, show, live }
    }),
    form: completeForm(form, fields),
    audience: { read: 'user', write: 'user', ...given.audience } as const,
    wire: completeWire(name, given.wire),
    get input() {
      return input()
    },
    get initial() {
      return initial()
    },
    get read() {
      made.read ??= readSchema(stored) as unknown as z.ZodType<AnyRow>
      return made.read
    },
    get detail() {
      made.detail ??= completeDetail(resource, detail)
      return made.detail
    },
    get actions() {
      made.actions ??= completeActions(resource, own, open === 'detail')
      return made.actions
    },
  } satisfies Resource
  return resource as unknown as Defined<N, I, A, D, X, W>
}
