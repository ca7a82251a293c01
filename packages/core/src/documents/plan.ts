import type { AnyRow, Resource, ResourceName, Values } from '../define/index.ts'
import { fieldOf } from '../define/index.ts'
import type { ErrorParams, Problem } from '../errors/index.ts'
import { defined, firstItem } from '../errors/index.ts'
import { checkRecord, missingSecrets } from '../fields/index.ts'
import { nearest } from '../targets/index.ts'
import {
  createIdOf,
  type DocumentProblem,
  type Entries,
  type Entry,
  entriesOf,
  type Fault,
  type Source,
} from './entries.ts'
import { isObject, meansSame, namedIn, optionProblem, read, written } from './portable.ts'
import { documentFields, type State } from './state.ts'
import { rawTitle, unchanged } from './write.ts'

/** One value of a record that changes, as documents write it. Secrets are not told: null before, the marker of one afterwards. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}

/** What becomes of one record. */
export interface Step {
  kind: 'create' | 'edit' | 'same' | 'delete'
  resource: Resource
  title: string
  /** Of the stored record, or one that stands for the new one. */
  id: number
  /** The record as it was when the plan was made. */
  base: AnyRow | null
  /** What create and edit take; records that are not made yet by the ids that stand for them. */
  input: Values
  changes: readonly Change[]
}

/** What a document comes to on a server: nothing of it may be sent while something is wrong with it. */
export interface Plan {
  steps: readonly Step[]
  problems: readonly DocumentProblem[]
  /** Secrets of the document that were left aside, since what is stored cannot be compared with them. */
  secretsKept: number
}

/** How a plan is made. */
export interface PlanOptions {
  source: Source
  state: State
  /** Records of the document's entities that it does not have are deleted. */
  prune?: boolean
  /** Secrets of the document replace stored ones, which nobody can compare with them. */
  setSecrets?: boolean
  /** Records that are there stay as they are. */
  onlyNew?: boolean
}

/** Stands for a secret that will be set. */
const secretSet = { secret: 'set' } as const

/** Compares a document with what a server holds. Pure. */
export function planDocument(options: PlanOptions): Plan {
  const { source, state, prune = false, setSecrets = false, onlyNew = false } = options
  const found = entriesOf(source, state)
  const planner = new Planner(found, options)
  const steps = found.entries.map((entry) =>
    onlyNew && entry.row ? sameStep(entry, entry.row) : planner.step(entry, { setSecrets }),
  )
  const gone = prune ? found.resources.flatMap((resource) => goneOf(resource, found, state)).reverse() : []
  return {
    steps: [...steps.filter((step) => step !== null), ...gone],
    problems: found.problems,
    secretsKept: planner.secretsKept,
  }
}

const sameStep = ({ resource, title, id }: Entry, base: AnyRow): Step => ({
  kind: 'same',
  resource,
  title,
  id,
  base,
  input: {},
  changes: [],
})

/** Stored records that the document does not have. Only what a document can make anew, and what goes without typed words. */
function goneOf(resource: Resource, { entries }: Entries, state: State): readonly Step[] {
  const { verbs, shape } = resource.wire
  const isSevere = resource.actions.delete?.typed !== false
  if (shape === 'one' || !verbs.includes('create') || !verbs.includes('delete') || isSevere) return []
  const kept = new Set(entries.flatMap((one) => (one.resource === resource && one.row ? [one.row.id] : [])))
  const rows = state.get(resource.name)?.rows ?? []
  return rows
    .filter(({ id }) => !kept.has(id))
    .map((row) => ({
      kind: 'delete',
      resource,
      title: rawTitle(resource, row),
      id: row.id,
      base: row,
      input: {},
      changes: [],
    }))
}

class Planner {
  readonly problems: DocumentProblem[]
  readonly source: Source
  readonly state: State
  readonly idOf: ReturnType<typeof createIdOf>
  readonly titles: ReadonlyMap<string, string>
  secretsKept = 0

  constructor(found: Entries, { source, state }: PlanOptions) {
    this.problems = found.problems
    this.source = source
    this.state = state
    this.idOf = createIdOf(found, state)
    this.titles = new Map(found.entries.map(({ resource, id, title }) => [`${resource.name} ${id}`, title]))
  }

  refuse({ resource, path, title, index }: Entry, field: string | null, what: DocumentProblem['what']): void {
    const line = this.source.lineOf(field === null ? path : [...path, field])
    this.problems.push({ line, resource, title, field, index, what })
  }

  fault(entry: Entry, field: string, fault: Fault, params: ErrorParams = {}): void {
    this.refuse(entry, field, { fault, params })
  }

  /** Null where something is wrong with it. */
  step(entry: Entry, { setSecrets }: { setSecrets: boolean }): Step | null {
    const { resource, row, title, id, values } = entry
    const before = this.problems.length
    const asked = Object.entries(values).filter(([field]) => this.isField(entry, field))
    const input: Record<string, unknown> = row ? baseOf(resource, row) : { ...resource.initial, ...unasked(resource) }
    const secrets: Change[] = []
    for (const [field, value] of asked) {
      if (fieldOf(resource, field).kind !== 'secret') input[field] = this.value(entry, field, value)
      else {
        const secret = this.secret(entry, field, value, setSecrets)
        if (secret === undefined) continue
        input[field] = secret
        secrets.push({ field, from: null, to: secret === null ? null : secretSet })
      }
    }
    if (this.problems.length > before) return null
    const differs = (field: string, to: unknown) => !row || !meansSame(fieldOf(resource, field), to, row[field])
    const plain = asked.map(([field]) => field).filter((field) => documentFields(resource).includes(field))
    const told = plain.filter((field) => fieldOf(resource, field).kind !== 'secret')
    if (row && secrets.length === 0 && !told.some((field) => differs(field, input[field]))) return sameStep(entry, row)
    const checked = checkRecord(resource, input, row)
    const problems = checked.ok ? (row ? [] : missingSecrets(resource, checked.input)) : checked.problems
    for (const problem of problems) this.refuse(entry, problem.field === '' ? null : problem.field, { problem })
    if (!checked.ok || problems.length > 0) return null
    const changes = told
      .filter((field) => differs(field, checked.input[field]))
      .map((field) => ({
        field,
        from: row ? this.told(resource, field, row[field]) : null,
        to: this.told(resource, field, checked.input[field]),
      }))
    if (row && changes.length + secrets.length === 0) return sameStep(entry, row)
    return { kind: row ? 'edit' : 'create', resource, title, id, base: row, input, changes: [...changes, ...secrets] }
  }

  isField(entry: Entry, name: string): boolean {
    const known = Object.keys(entry.resource.input.shape)
    if (known.includes(name)) return true
    const near = nearest(name, known)
    this.fault(entry, name, 'field', { name, known: near.length > 0 ? near : documentFields(entry.resource) })
    return false
  }

  value(entry: Entry, name: string, given: unknown): unknown {
    const field = fieldOf(entry.resource, name)
    const refuse = (problem: Problem) => this.refuse(entry, name, { problem })
    const value = read(field, given, (to, key) => {
      const ids = this.idOf(to, key)
      if (ids.length === 1) return firstItem(ids)
      const kept = ids.length === 0 ? danglingIn(entry, name, to, key) : null
      if (kept !== null) return kept
      if (ids.length === 0) this.fault(entry, name, 'noRecord', { name: String(key), resource: to })
      else this.fault(entry, name, 'ambiguous', { name: String(key), ids })
      return null
    })
    const problem = optionProblem(field, name, value)
    // An option of another version that is stored already stays.
    if (problem && value !== entry.row?.[name]) refuse(problem)
    return value
  }

  /** What to send for a secret; undefined: what is stored stays. */
  secret(entry: Entry, name: string, given: unknown, setSecrets: boolean): string | null | undefined {
    const { row, resource } = entry
    const field = fieldOf(resource, name)
    const has = field.kind === 'secret' ? field.has : undefined
    const isStored = row !== null && (has === undefined || row[has] !== false)
    if (isMarker(given)) {
      if (row === null) this.fault(entry, name, 'secret', { name })
      return undefined
    }
    if (given === null) return isStored && has !== undefined ? null : undefined
    if (typeof given !== 'string') {
      this.refuse(entry, name, { problem: { field: name, code: 'notText' } })
      return undefined
    }
    if (given === '') return undefined
    if (!isStored || setSecrets) return given
    this.secretsKept += 1
    return undefined
  }

  /** A value as documents write it, new records included. */
  told(resource: Resource, field: string, value: unknown): unknown {
    return written(fieldOf(resource, field), value, (to, id) => {
      const fresh = this.titles.get(`${to} ${id}`)
      if (fresh !== undefined) return fresh
      const stored = this.state.get(to)
      const row = stored?.rows.find((one) => one.id === id)
      return row ? rawTitle(defined(stored).resource, row) : `#${id}`
    })
  }
}

const isMarker = (value: unknown) => isObject(value) && value.unchanged === unchanged.unchanged

/** A record that is named by its number, that is gone or not to be seen here, and that the stored record names too. */
function danglingIn({ row, resource }: Entry, name: string, to: ResourceName, key: string | number): number | null {
  const id = Number(String(key).replace('#', ''))
  const stored = row ? namedIn(fieldOf(resource, name), row[name]) : []
  return stored.some((one) => one.to === to && Number(one.key) === id) ? id : null
}

/** The input that keeps a record as it is. */
function baseOf(resource: Resource, row: AnyRow): Record<string, unknown> {
  const names = Object.keys(resource.input.shape)
  const values = names.map((name) => [name, resource.fields[name]?.kind === 'secret' ? '' : row[name]])
  return { ...Object.fromEntries(values), ...unasked(resource) }
}

/** What forms ask and records do not keep, where there is no form. */
function unasked({ fields, initial, input }: Resource): Record<string, unknown> {
  const asked = Object.keys(input.shape).filter((name) => fields[name]?.formOnly)
  const startOf = (name: string) => {
    const { formOnly } = fieldOf({ fields }, name)
    return typeof formOnly === 'object' ? formOnly.inFiles : initial[name]
  }
  return Object.fromEntries(asked.map((name) => [name, startOf(name)]))
}
