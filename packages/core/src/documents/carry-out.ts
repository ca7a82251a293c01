import { createEdits, type Edits, readRecord, saveForm } from '../actions/index.ts'
import { type ApiPort, type ResourceName, sendWire, type Values } from '../define/index.ts'
import { AppError, defined, firstItem, toAppError } from '../errors.ts'
import { firstNew } from './entries.ts'
import type { Plan, Step } from './plan.ts'
import { namedIn, renamed } from './portable.ts'

export interface Result {
  step: Step
  /** `left`: not tried. */
  outcome: 'done' | 'failed' | 'left'
  /** Null if the record wasn’t created, or the server doesn’t return its ID. */
  id: number | null
  error: AppError | null
}

export interface CarryOutOptions {
  api: ApiPort
  plan: Plan
  supports(capability: string): boolean
  failFast?: boolean
  /** `api` sends nothing, so created records keep their placeholder IDs. */
  isDry?: boolean
  onResult?(result: Result): void
}

/** Failures after which nothing else can succeed. */
const fatal = [
  'unreachable',
  'databaseAway',
  'unauthorized',
  'badToken',
  'cancelled',
  'stepUpRequired',
  'firewall',
  'csrf',
]

/**
 * Executes a plan: creations in the order of references, then changes, then deletions. Records that refer to each other are created without
 * references and edited afterwards. Continues after a failure; every step has a result. Never rejects.
 */
export async function carryOut({
  api,
  plan,
  supports,
  failFast = false,
  isDry = false,
  onResult,
}: CarryOutOptions): Promise<Result[]> {
  const run = new Run(api, supports, isDry)
  const results: Result[] = []
  let isOver = false
  const tell = (result: Result) => {
    results.push(result)
    onResult?.(result)
    isOver ||= result.error !== null && (failFast || fatal.includes(result.error.code))
  }
  const wanted = plan.steps.filter(({ kind }) => kind !== 'same')
  const creates = wanted.filter(({ kind }) => kind === 'create')
  const others = wanted.filter(({ kind }) => kind !== 'create')
  /** Created without some references. */
  const unfinished: { step: Step; id: number }[] = []
  while (creates.length > 0 && !isOver) {
    const waits = (step: Step) => run.missing(step).some((id) => creates.some((one) => one !== step && one.id === id))
    const step = creates.find((one) => !waits(one)) ?? firstItem(creates)
    creates.splice(creates.indexOf(step), 1)
    const isWhole = run.missing(step).length === 0
    const canFollow = run.missing(step).every((id) => id === step.id || creates.some((one) => one.id === id))
    const result = canFollow ? await run.attempt(step, () => run.create(step)) : lacking(step)
    if (!isWhole && result.outcome === 'done' && result.id !== null) unfinished.push({ step, id: result.id })
    else tell(result)
  }
  for (const { step, id } of unfinished) {
    tell(run.missing(step).length > 0 ? { ...lacking(step), id } : await run.attempt(step, () => run.finish(step, id)))
  }
  for (const step of others) {
    if (isOver) break
    tell(
      run.missing(step).length > 0
        ? lacking(step)
        : await run.attempt(step, () => (step.kind === 'edit' ? run.edit(step) : run.remove(step))),
    )
  }
  const tried = new Set(results.map(({ step }) => step))
  const left = wanted.filter((step) => !tried.has(step))
  return [...results, ...left.map((step): Result => ({ step, outcome: 'left', id: null, error: null }))]
}

/** A record that refers to one that couldn’t be created. */
const lacking = (step: Step): Result => ({
  step,
  outcome: 'failed',
  id: null,
  error: new AppError('invalid', {}, { problems: [{ field: '', code: 'unknownReference' }] }),
})

class Run {
  readonly api: ApiPort
  readonly supports: (capability: string) => boolean
  readonly isDry: boolean
  readonly edits: Edits
  /** IDs of created records by their placeholders. */
  readonly made = new Map<number, number>()

  constructor(api: ApiPort, supports: (capability: string) => boolean, isDry: boolean) {
    this.api = api
    this.isDry = isDry
    this.supports = supports
    this.edits = createEdits({ api, supports })
  }

  async attempt(step: Step, send: () => Promise<number | null>): Promise<Result> {
    try {
      return { step, outcome: 'done', id: await send(), error: null }
    } catch (thrown) {
      return { step, outcome: 'failed', id: step.base?.id ?? null, error: toAppError(thrown) }
    }
  }

  /** Placeholders of records that don’t exist yet. */
  missing({ resource, input }: Step): number[] {
    const named = Object.entries(input).flatMap(([name, value]) =>
      resource.fields[name] ? namedIn(resource.fields[name], value) : [],
    )
    return named.map(({ key }) => Number(key)).filter((id) => id >= firstNew && !this.made.has(id))
  }

  /** Replaces placeholders with IDs, and leaves out records that don’t exist yet. */
  inputOf({ resource, input }: Step): Values {
    const idOf = (_to: ResourceName, key: string | number) =>
      Number(key) >= firstNew ? (this.made.get(Number(key)) ?? null) : key
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => {
        const field = resource.fields[name]
        return [name, field ? (renamed(field, value, idOf) ?? (field.kind === 'ref' ? 0 : value)) : value]
      }),
    )
  }

  async create(step: Step): Promise<number | null> {
    const { api, supports } = this
    const input = this.inputOf(step)
    const saved = await saveForm({ api, supports, resource: step.resource, mode: 'create', base: null, input })
    const id = this.isDry ? step.id : saved.id
    if (id !== null) this.made.set(step.id, id)
    return id
  }

  /** Adds the references that a record was created without. */
  async finish(step: Step, id: number): Promise<number> {
    const base = this.isDry ? { ...step.input, id } : await readRecord(this.api, step.resource, id)
    const { fields } = step.resource
    const input = Object.entries(this.inputOf(step)).map(([name, value]) => [
      name,
      fields[name]?.kind === 'secret' ? '' : value,
    ])
    return this.edit({ ...step, kind: 'edit', base, input: Object.fromEntries(input) })
  }

  async edit(step: Step): Promise<number> {
    const { api, supports, edits } = this
    const base = defined(step.base)
    const { resource } = step
    await saveForm({ api, supports, edits, resource, mode: 'edit', base, input: this.inputOf(step), keeps: true })
    return base.id
  }

  async remove({ resource, id }: Step): Promise<number> {
    await sendWire(defined(defined(resource.actions.delete).wire), this, [{ id }])
    return id
  }
}

/** A plan for programs, with what came of each step. */
export function planJson({ steps }: Plan, results: readonly Result[] | null): Record<string, unknown> {
  const resultOf = (step: Step) => {
    const result = results?.find((one) => one.step === step)
    return result ? { result: result.outcome, ...(result.error ? { error: result.error.code } : {}) } : {}
  }
  const idOf = (step: Step) => step.base?.id ?? results?.find((one) => one.step === step)?.id ?? null
  const changes = steps
    .filter(({ kind }) => kind !== 'same')
    .map((step) => ({
      change: step.kind,
      resource: step.resource.name,
      name: step.title,
      id: idOf(step),
      fields: Object.fromEntries(step.changes.map(({ field, from, to }) => [field, { from, to }])),
      ...resultOf(step),
    }))
  return { changes, same: steps.length - changes.length }
}

/** A call’s body with `new server web-1` for the ids that new records don’t have yet. */
export function withNewNames(plan: Plan, body: unknown): unknown {
  if (typeof body === 'number' && body >= firstNew) {
    const step = plan.steps.find(({ id }) => id === body)
    return `new ${step?.resource.name} ${step?.title}`
  }
  if (Array.isArray(body)) return body.map((part) => withNewNames(plan, part))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, withNewNames(plan, part)]))
}
