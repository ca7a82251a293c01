import type * as z from 'zod'
import type { ActionDefinition, StandardName } from './action.ts'
import { completeDetail } from './complete-detail.ts'
import type { Detail } from './detail.ts'
import type { Field } from './fields.ts'
import { completeGroups, type FormGroup, type Values } from './form-shape.ts'
import type { ResourceName } from './names.ts'
import { readSchema } from './read.ts'
import type { Defined, Limited, Resource, ResourceDefinition, Shape, Show } from './resource.ts'
import type { AnyRow } from './row.ts'
import { lazy } from './schema.ts'
import { completeActions } from './standard.ts'
import type { Wire } from './wire.ts'

const same = (value: unknown) => value

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
  readonly actions?: Readonly<Record<string, ActionDefinition<AnyRow>>>
  readonly standard?: Readonly<Partial<Record<StandardName, Limited<AnyRow>>>>
}

/** A definition as the code below reads it. */
type AnyDefinition = Omit<ResourceDefinition<z.ZodObject, Shape, string>, keyof Untyped> & Untyped

/** Builds a resource from what its author wrote: fills every default, derives the read schema and the standard actions. */
export function defineResource<
  const N extends ResourceName,
  I extends z.ZodObject,
  A extends Shape,
  D extends string = never,
  X extends object = object,
  const W extends Partial<Wire> = object,
>(typed: ResourceDefinition<I, A, D, X, W> & { readonly name: N }): Defined<N, I, A, D, X, W> {
  const definition = typed as unknown as AnyDefinition
  const { name, fields: stored, derived = {} } = definition
  const input = lazy(definition.input)
  const made: { read?: z.ZodType<AnyRow>; detail?: Detail; actions?: Resource['actions'] } = {}
  // What costs is made when it is first asked for: a program that starts for one list does not pay for all.
  const resource = {
    name,
    icon: definition.icon,
    title: definition.title,
    path: definition.path,
    go: definition.go ?? null,
    aliases: definition.aliases ?? [],
    initial: definition.initial,
    presets: definition.presets ?? {},
    fields: { ...stored, ...derived },
    derived: Object.fromEntries(Object.entries(derived).map(([field, { from }]) => [field, from])),
    columns: definition.columns.map(({ field, show = 'normal', live = false }) => ({ field, show, live })),
    sort: definition.sort,
    search: definition.search ?? [],
    facet: definition.facet ?? null,
    counted: definition.counted ?? null,
    identity: definition.identity ?? null,
    together: definition.together ?? false,
    pages: definition.pages ?? false,
    form: completeGroups(definition.form),
    reach: definition.reach ?? null,
    idle: definition.idle ?? null,
    aim: definition.aim ?? null,
    check: definition.check ?? null,
    owned: definition.owned ?? null,
    scopes: definition.scopes,
    audience: { read: 'user', write: 'user', ...definition.audience } as const,
    wire: {
      verbs: ['list', 'create', 'edit', 'delete'],
      path: name,
      listPath: definition.wire?.path ?? name,
      batchPath: `batch-delete/${name}`,
      deletes: 'batch',
      reveals: null,
      shape: 'many',
      editMethod: 'PATCH',
      paging: 'all',
      filter: null,
      beside: null,
      decode: same,
      encode: same,
      keep: null,
      decodeInput: same,
      encodeRow: same,
      ...definition.wire,
    } satisfies Wire,
    state: definition.state ?? null,
    family: definition.family ?? null,
    tab: definition.tab ?? false,
    place: definition.place ?? 'tab',
    requires: definition.requires ?? null,
    needsSession: definition.needsSession ?? false,
    stepUp: definition.stepUp ?? [],
    cli: definition.cli ?? {},
    preview: definition.preview ?? null,
    trials: definition.trials ?? {},
    host: definition.host ?? null,
    get input() {
      return input()
    },
    get read() {
      made.read ??= readSchema(stored) as unknown as z.ZodType<AnyRow>
      return made.read
    },
    get detail() {
      made.detail ??= completeDetail(resource, definition.detail)
      return made.detail
    },
    get actions() {
      made.actions ??= completeActions(resource, {
        limits: definition.standard ?? {},
        own: definition.actions ?? {},
        opensDetail: definition.open === 'detail',
      })
      return made.actions
    },
  } satisfies Resource
  return resource as unknown as Defined<N, I, A, D, X, W>
}
