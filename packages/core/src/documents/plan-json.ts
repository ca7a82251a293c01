import type { Result } from './carry-out.ts'
import { firstNew } from './entries.ts'
import type { Plan, Step } from './plan.ts'

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
