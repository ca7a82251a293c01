import type * as z from 'zod'
import type { ActionDefinition, StandardName } from './action.ts'
import { completeDetail } from './complete-detail.ts'
import type { Detail } from './detail.ts'
import type { Field, Reach } from './fields.ts'
import { completeGroups, type Values } from './form-shape.ts'
import type { ResourceName } from './names.ts'
import { readSchema } from './read.ts'
import type { Defined, Limited, Resource, ResourceDefinition, RowState, Shape } from './resource.ts'
import type { AnyRow, View } from './row.ts'
import { lazy } from './schema.ts'
import { completeActions } from './standard.ts'
import type { When } from './when.ts'
import type { Wire } from './wire.ts'

const same = (value: unknown) => value

/** Builds a resource from what its author wrote: fills every default, derives the read schema and the standard actions. */
export function defineResource<
  const N extends ResourceName,
  I extends z.ZodObject,
  A extends Shape,
  D extends string = never,
>(definition: ResourceDefinition<I, A, D> & { readonly name: N }): Defined<N, I, A> {
  const { name, derived = {} } = definition
  const stored = definition.fields as unknown as Readonly<Record<string, Field>>
  const computed = derived as unknown as Readonly<
    Record<string, Field & { from: (row: AnyRow, view: View) => unknown }>
  >
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
    initial: definition.initial as Readonly<Record<string, unknown>>,
    presets: (definition.presets ?? {}) as Readonly<Record<string, Values>>,
    fields: { ...stored, ...computed },
    derived: Object.fromEntries(Object.entries(computed).map(([field, { from }]) => [field, from])),
    columns: definition.columns.map(({ field, show = 'normal', live = false }) => ({ field, show, live })),
    sort: definition.sort,
    search: definition.search ?? [],
    facet: definition.facet ?? null,
    counted: definition.counted ?? null,
    identity: definition.identity ?? null,
    together: definition.together ?? false,
    pages: definition.pages ?? false,
    form: completeGroups(definition.form),
    reach: (definition.reach ?? null) as ((row: AnyRow) => Reach) | null,
    idle: (definition.idle ?? null) as When<AnyRow> | null,
    aim: definition.aim ?? null,
    check: (definition.check ?? null) as Resource['check'],
    owned: (definition.owned ?? null) as Resource['owned'],
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
    state: (definition.state ?? null) as unknown as RowState<AnyRow> | null,
    family: definition.family ?? null,
    tab: definition.tab ?? false,
    place: definition.place ?? 'tab',
    requires: definition.requires ?? null,
    needsSession: definition.needsSession ?? false,
    stepUp: definition.stepUp ?? [],
    cli: definition.cli ?? {},
    preview: definition.preview ?? null,
    trials: definition.trials ?? {},
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
        limits: (definition.standard ?? {}) as Readonly<Partial<Record<StandardName, Limited<AnyRow>>>>,
        own: (definition.actions ?? {}) as unknown as Readonly<Record<string, ActionDefinition<AnyRow>>>,
        opensDetail: definition.open === 'detail',
      })
      return made.actions
    },
  } satisfies Resource
  return resource as unknown as Defined<N, I, A>
}
