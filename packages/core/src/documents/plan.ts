import { type AnyRow, fieldOf, type Resource, type ResourceName, type Values } from '../define/index.ts'
import { defined, type ErrorParams, firstItem, isObject, type Problem } from '../errors.ts'
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
import { meansSame, namedIn, optionProblem, read, written } from './portable.ts'
import { documentFields, type State } from './state.ts'
import { rawTitle, unchanged } from './write.ts'

/** A changed value, as documents write it. Secrets are null before, and a marker afterwards. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}

export interface Step {
  kind: 'create' | 'edit' | 'same' | 'delete'
  resource: Resource
  title: string
  /** Of the stored record, or a placeholder. */
  id: number
  /** The record when the plan was made. */
  base: AnyRow | null
  /** For create and edit; new records by their placeholders. */
  input: Values
  changes: readonly Change[]
}

/** Nothing may be sent while there are problems. */
export interface Plan {
  steps: readonly Step[]
  problems: readonly DocumentProblem[]
  /** Number of ignored secrets, because stored ones can’t be compared. */
  secretsKept: number
}

export interface PlanOptions {
  source: Source
  state: State
  /** Deletes records of the document’s entities that it doesn’t contain. */
  prune?: boolean
  /** Replaces stored secrets, which can’t be compared. */
  setSecrets?: boolean
  /** Leaves existing records unchanged. */
  onlyNew?: boolean
}

const secretSet = { secret: 'set' } as const

/** Compares a document with a server’s state. */
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

/** Stored records that the document lacks, if a document could recreate them and deleting them needs no typed words. */
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

  /** Null if there are problems. */
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
    const visible = plain.filter((field) => fieldOf(resource, field).kind !== 'secret')
    if (row && secrets.length === 0 && !visible.some((field) => differs(field, input[field])))
      return sameStep(entry, row)
    const checked = checkRecord(resource, input, row)
    const problems = checked.ok ? (row ? [] : missingSecrets(resource, checked.input)) : checked.problems
    for (const problem of problems) this.refuse(entry, problem.field === '' ? null : problem.field, { problem })
    if (!checked.ok || problems.length > 0) return null
    const changes = visible
      .filter((field) => differs(field, checked.input[field]))
      .map((field) => ({
        field,
        from: row ? this.written(resource, field, row[field]) : null,
        to: this.written(resource, field, checked.input[field]),
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
    // Keep a stored option of another version.
    if (problem && value !== entry.row?.[name]) refuse(problem)
    return value
  }

  /** Undefined: the stored secret stays. */
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

  /** A value as documents write it, including new records. */
  written(resource: Resource, field: string, value: unknown): unknown {
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

/** Whether a missing or invisible record is named by its number, and the stored record refers to it too. */
function danglingIn({ row, resource }: Entry, name: string, to: ResourceName, key: string | number): number | null {
  const id = Number(String(key).replace('#', ''))
  const stored = row ? namedIn(fieldOf(resource, name), row[name]) : []
  return stored.some((one) => one.to === to && Number(one.key) === id) ? id : null
}

function baseOf(resource: Resource, row: AnyRow): Record<string, unknown> {
  const names = Object.keys(resource.input.shape)
  const values = names.map((name) => [name, resource.fields[name]?.kind === 'secret' ? '' : row[name]])
  return { ...Object.fromEntries(values), ...unasked(resource) }
}

/** Values of fields that only forms ask for. */
function unasked({ fields, initial, input }: Resource): Record<string, unknown> {
  const asked = Object.keys(input.shape).filter((name) => fields[name]?.formOnly)
  const startOf = (name: string) => {
    const { formOnly } = fieldOf({ fields }, name)
    return typeof formOnly === 'object' ? formOnly.inFiles : initial[name]
  }
  return Object.fromEntries(asked.map((name) => [name, startOf(name)]))
}
