import { type AnyRow, fieldOf, type Resource, type ResourceName } from '../define/index.ts'
import { defined, isObject } from '../errors.ts'
import type { DocumentProblem, Source } from './entries.ts'
import { type Plan, planDocument } from './plan.ts'
import { namedIn } from './portable.ts'
import { configuration, documentFields, type State, type Stored } from './state.ts'
import { type Document, isNumber, rawTitle, writeDocument } from './write.ts'

/** Why something isn’t copied; texts at `ui.documents.leftOut.<reason>`. */
export type LeftReason =
  | 'password'
  | 'secret'
  | 'secretField'
  | 'notHere'
  | 'targets'
  | 'owner'
  | 'names'
  | 'risky'
  | 'renamed'
  | 'refused'

/** Something that isn’t copied, or not unchanged. */
export interface LeftOut {
  resource: Resource
  name: string
  reason: LeftReason
  params: Readonly<Record<string, string | readonly string[]>>
  /** Why this server refuses it. */
  problem: DocumentProblem | null
}

export interface Migration {
  plan: Plan
  leftOut: readonly LeftOut[]
}

/** Limit of rounds; each can only leave out more records. */
const maxRounds = 20

/**
 * Compares another server’s state with this one’s. Records are matched by their titles, or by their identity if they enroll themselves. What can’t
 * be copied is left out of references too, and reported. A later run copies what is missing then.
 */
export function planMigration({ from, to }: { from: State; to: State }): Migration {
  const migrating = new Migrating(from, to)
  for (let round = 0; ; round++) {
    migrating.leaveOutUnsafe()
    const { document, rows } = migrating.document()
    const source: Source = { value: document, lineOf: () => null }
    const plan = planDocument({ source, state: to })
    const isNew = plan.problems.map((problem) => migrating.refuse(problem, rows)).some(Boolean)
    if (!isNew || round === maxRounds) return { plan, leftOut: migrating.report(rows) }
  }
}

class Migrating {
  readonly from: State
  readonly to: State
  readonly resources: readonly Resource[]
  readonly out = new Map<string, LeftOut>()
  readonly fieldsOut = new Map<string, LeftOut>()
  readonly names = new Map<ResourceName, ReadonlyMap<number, string>>()

  constructor(from: State, to: State) {
    this.from = from
    this.to = to
    this.resources = configuration().filter(({ name }) => from.has(name) && to.has(name))
    for (const resource of this.resources) {
      const stored = defined(from.get(resource.name))
      this.names.set(resource.name, namesWithoutDoubles(stored))
      for (const row of stored.rows) this.lookAt(resource, row)
    }
  }

  nameOf(resource: Resource, row: AnyRow): string {
    return this.names.get(resource.name)?.get(row.id) ?? rawTitle(resource, row)
  }

  leave(resource: Resource, row: AnyRow, reason: LeftReason, more: Partial<LeftOut> = {}): void {
    const name = this.nameOf(resource, row)
    this.out.set(`${resource.name} ${row.id}`, { resource, name, reason, params: {}, problem: null, ...more })
  }

  isOut = (name: ResourceName, id: number): boolean => this.out.has(`${name} ${id}`)

  /** The matching record on this server. */
  here(resource: Resource, row: AnyRow): AnyRow | undefined {
    const rows = this.to.get(resource.name)?.rows ?? []
    const { identity } = resource
    const same = identity === null ? undefined : rows.find((one) => one[identity] === row[identity] && one[identity])
    const titled = rows.filter((one) => rawTitle(resource, one) === this.nameOf(resource, row))
    return same ?? (titled.length === 1 ? titled[0] : undefined)
  }

  /** Leaves out a record that can’t be copied in itself. */
  lookAt(resource: Resource, row: AnyRow): void {
    if (resource.wire.shape === 'one') return
    const secrets = documentFields(resource).flatMap((name) => {
      const field = fieldOf(resource, name)
      return field.kind === 'secret' ? [{ name, field }] : []
    })
    const here = this.here(resource, row)
    if (secrets.some(({ field }) => field.password)) this.leave(resource, row, 'password')
    else if (!here && !resource.wire.verbs.includes('create')) this.leave(resource, row, 'notHere')
    else if (!here) {
      const lacking = secrets.find(({ name, field }) => field.needed && !row[name])
      if (lacking) this.leave(resource, row, 'secret', { params: { field: lacking.name } })
    }
    if (this.wouldWiden(resource, row)) this.leave(resource, row, 'owner')
  }

  /** Nezha doesn’t tell owners: a member’s command for all of their servers would run on everybody’s here. */
  wouldWiden(resource: Resource, row: AnyRow): boolean {
    const runs = Object.values(resource.fields).some((field) => field?.kind === 'command')
    const isAlone = this.from.get('user')?.rows.length === 1
    return runs && resource.targets?.(row)?.mode === 'except' && !row.owner && !isAlone
  }

  /** A record that targets all servers but some would target those that aren’t copied once they enroll. */
  leaveOutUnsafe(): void {
    for (const resource of this.resources) {
      for (const row of defined(this.from.get(resource.name)).rows) {
        const selection = resource.targets?.(row)
        if (selection?.mode !== 'except' || this.isOut(resource.name, row.id)) continue
        const lost = this.lostOf(resource, row)
        if (lost.length > 0) this.leave(resource, row, 'targets', { params: { names: lost } })
      }
    }
  }

  lostOf(resource: Resource, row: AnyRow): readonly string[] {
    const named = documentFields(resource).flatMap((name) => namedIn(fieldOf(resource, name), row[name]))
    const lost = named.filter(({ to, key }) => this.isOut(to, Number(key)))
    return [...new Set(lost.map(({ to, key }) => this.names.get(to)?.get(Number(key)) ?? String(key)))]
  }

  /** What is to be copied, and the source records in order. */
  document(): { document: Document; rows: ReadonlyMap<ResourceName, readonly AnyRow[]> } {
    const rows = new Map(
      this.resources.map(({ name }) => [
        name,
        defined(this.from.get(name)).rows.filter(({ id }) => !this.isOut(name, id)),
      ]),
    )
    const written = writeDocument({
      state: this.from,
      resources: this.resources,
      withSecrets: true,
      only: ({ name }, row) => !this.isOut(name, row.id),
      names:
        ({ resource }) =>
        (id) =>
          this.isOut(resource.name, id) ? null : (this.names.get(resource.name)?.get(id) ?? null),
      has: (stored, field) => this.has(stored, field),
    })
    const document = Object.fromEntries(
      Object.entries(written).map(([key, value]) => {
        const resource = this.resources.find(({ name }) => name === key)
        if (!resource || !Array.isArray(value)) return [key, value]
        return [
          key,
          value.map((record, index) => this.found(resource, defined(defined(rows.get(resource.name))[index]), record)),
        ]
      }),
    )
    return { document, rows }
  }

  /** Only what the other server sent, and nothing that could lock people out. */
  has({ resource, said }: Stored, field: string): boolean {
    return (
      said().has(field) && !resource.trial?.fields.includes(field) && !this.fieldsOut.has(`${resource.name} ${field}`)
    )
  }

  /** Adds the ID of the matching record; unreadable secrets stay as they are there, or are left out. */
  found(resource: Resource, row: AnyRow, record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const here = this.here(resource, row)
    const kept = Object.entries(record).filter(([, value]) => here || !isMarker(value))
    return { ...(here ? { id: here.id } : {}), ...Object.fromEntries(kept) }
  }

  /** Leaves out what this server would refuse. True if that is new. */
  refuse(problem: DocumentProblem, rows: ReadonlyMap<ResourceName, readonly AnyRow[]>): boolean {
    const { resource, index, field } = problem
    if (!resource || index === null) return false
    const row = rows.get(resource.name)?.[index]
    if (!row) return false
    if (resource.wire.shape === 'one') {
      if (field === null || this.fieldsOut.has(`${resource.name} ${field}`)) return false
      const name = this.nameOf(resource, row)
      this.fieldsOut.set(`${resource.name} ${field}`, { resource, name, reason: 'refused', params: {}, problem })
      return true
    }
    if (this.isOut(resource.name, row.id)) return false
    this.leave(resource, row, 'refused', { problem })
    return true
  }

  report(rows: ReadonlyMap<ResourceName, readonly AnyRow[]>): readonly LeftOut[] {
    const changed = this.resources.flatMap((resource) =>
      (rows.get(resource.name) ?? []).flatMap((row) => this.changesOf(resource, row)),
    )
    return [...this.out.values(), ...this.fieldsOut.values(), ...changed]
  }

  changesOf(resource: Resource, row: AnyRow): LeftOut[] {
    const name = this.nameOf(resource, row)
    const one = (reason: LeftReason, params: LeftOut['params']) => ({ resource, name, reason, params, problem: null })
    const lost = this.lostOf(resource, row)
    const stored = defined(this.from.get(resource.name))
    const fields = documentFields(resource).map((field) => ({ field, definition: fieldOf(resource, field) }))
    const secrets = fields.filter(({ field, definition }) => {
      const has = definition.kind === 'secret' ? definition.has : undefined
      if (has === undefined || row[field] || this.here(resource, row)) return false
      // Without that information, a server returns either all secrets or none.
      return stored.said().has(has) ? row[has] === true : stored.rows.every((one) => !one[field])
    })
    const risky = fields.filter(
      ({ field }) =>
        resource.trial?.fields.includes(field) &&
        stored.said().has(field) &&
        JSON.stringify(row[field]) !== JSON.stringify(resource.initial[field]),
    )
    return [
      ...(resource.wire.shape === 'many' && name !== rawTitle(resource, row)
        ? [one('renamed', { name: rawTitle(resource, row) })]
        : []),
      ...(lost.length > 0 ? [one('names', { names: lost })] : []),
      ...secrets.map(({ field }) => one('secretField', { field })),
      ...risky.map(({ field }) => one('risky', { field })),
    ]
  }
}

const isMarker = (value: unknown) => isObject(value) && value.unchanged === true

/** Titles; duplicates become `title (2)`, stable because IDs keep their order. */
function namesWithoutDoubles({ resource, rows }: Stored): ReadonlyMap<number, string> {
  const taken = new Set<string>()
  return new Map(
    rows.map((row) => {
      const title = rawTitle(resource, row)
      const plain = isNumber(title) ? `(${title})` : title
      let name = plain
      for (let count = 2; taken.has(name); count++) name = `${plain} (${count})`
      taken.add(name)
      return [row.id, name]
    }),
  )
}
