import { argumentsOf, fieldKey } from '../define/index.ts'
import type { Format, Translator } from '../i18n/index.ts'
import { type Rollout, type RunCounts, server } from '../resources/index.ts'

/** The canary is the first step if there is one; each batch is another. */
export interface RolloutStep {
  readonly step: number
  readonly steps: number
  readonly isCanary: boolean
}

export function rolloutStep({ canary, batch }: NonNullable<Rollout>, counts: RunCounts): RolloutStep {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const first = Math.min(canary, total)
  const each = batch === 0 ? Math.max(1, total - first) : batch
  const batchesOf = (count: number) => Math.ceil(Math.max(0, count - first) / each)
  const before = first > 0 ? 1 : 0
  const step = before + batchesOf(total - counts.waiting)
  return { step: Math.max(1, step), steps: before + batchesOf(total), isCanary: first > 0 && step <= 1 }
}

/** A text for each value: "Canary servers 1". Omits a soak time of 0. */
export function rolloutPlan(
  rollout: NonNullable<Rollout>,
  { translator, format }: { translator: Pick<Translator, 'say'>; format: Pick<Format, 'number' | 'duration'> },
): readonly string[] {
  const args = argumentsOf(server, 'force-update')
  const values: Readonly<Record<string, unknown>> = rollout
  return Object.entries(args.fields).flatMap(([name, { kind }]) => {
    const value = values[name]
    if (typeof value !== 'number' || (kind === 'duration' && value === 0)) return []
    return [
      `${translator.say(fieldKey(args, name))} ${kind === 'duration' ? format.duration(value) : format.number(value)}`,
    ]
  })
}
