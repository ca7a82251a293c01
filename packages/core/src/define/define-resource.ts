import type * as z from 'zod'
import type { ActionDefinition } from './action.ts'
import { completeDetail } from './complete-detail.ts'
import type { Detail } from './detail.ts'
import type { Field } from './fields.ts'
import { completeGroups, type FormGroup, type Values } from './form-shape.ts'
import type { ResourceName } from './names.ts'
import { readSchema } from './read.ts'
import type { Defined, Resource, ResourceDefinition, Shape, Show } from './resource.ts'
import type { AnyRow } from './row.ts'
import { lazy } from './schema.ts'
import { completeActions } from './standard.ts'
import { completeWire, type WireDefinition } from './wire.ts'

type Given<K extends keyof Resource> = { readonly [N in K]?: NonNullable<Resource[N]> }

/** The parts of a definition that have the types of its own row, here without them. */
interface Untyped
  extends Pick<Resource, 'title' | 'sort'>,
    Given<'presets' | 'reach' | 'idle' | 'check' | 'owned' | 'state' | 'search' | 'facet' | 'counted' | 'identity'> {
  readonly fields: Readonly<Record<string, Field>>
  readonly derived?: Readonly<Record<string, Field & { from: Resource['derived'][string] }>>
  readonly initial: Values
  readonly columns: readonly (Pick<Resource['columns'][number], 'field'> & { show?: Show; live?: true })[]
  readonly form: readonly FormGroup<AnyRow>[]
  readonly actions?: Readonly<Record<string, Partial<ActionDefinition<AnyRow>>>>
}

/** A definition as the code below reads it. */
type AnyDefinition = Omit<ResourceDefinition<z.ZodObject, Shape, string>, keyof Untyped> & Untyped

const defaults = {
  go: null,
  aliases: [],
  presets: {},
  search: [],
  facet: null,
  counted: null,
  identity: null,
  together: false,
  pages: false,
  reach: null,
  idle: null,
  aim: null,
  check: null,
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
  trials: {},
  host: null,
} satisfies Partial<Resource>

/** Builds a resource from what its author wrote: fills every default, derives the read schema and the standard actions. */
export function defineResource<
  const N extends ResourceName,
  I extends z.ZodObject,
  A extends Shape,
  D extends string = never,
  X extends object = object,
  const W extends WireDefinition = object,
>(typed: ResourceDefinition<I, A, D, X, W> & { readonly name: N }): Defined<N, I, A, D, X, W> {
  const definition = typed as unknown as AnyDefinition
  const { input: makeInput, added: _added, open, actions: own = {}, detail, ...given } = definition
  const { name, fields: stored, derived = {} } = given
  const input = lazy(makeInput)
  const made: { read?: z.ZodType<AnyRow>; detail?: Detail; actions?: Resource['actions'] } = {}
  // What costs is made when it is first asked for: a program that starts for one list does not pay for all.
  const resource = {
    ...defaults,
    ...given,
    fields: { ...stored, ...derived },
    derived: Object.fromEntries(Object.entries(derived).map(([field, { from }]) => [field, from])),
    columns: given.columns.map(({ field, show = 'normal', live = false }) => ({ field, show, live })),
    form: completeGroups(given.form),
    audience: { read: 'user', write: 'user', ...given.audience } as const,
    wire: completeWire(name, given.wire),
    get input() {
      return input()
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
