import type { Reading } from '@qd/core/define'
import { type Condition, isOutside, type TransferredSince, type Verdict } from './conditions.ts'
import { type CycleCheck, checkCycle, createCycleCheck } from './cycle-check.ts'
import { isOffline, type Sample } from './measure.ts'
import { addSample, createWindow, isFailing, isFull, type SampleWindow } from './sample-window.ts'

/** What a rule remembers of one server, a memory per condition. */
export type Memory = readonly (SampleWindow | CycleCheck)[]

/** An empty memory. */
export function createMemory(conditions: readonly Condition[]): Memory {
  return conditions.map((condition) => (condition.kind === 'cycle' ? createCycleCheck() : createWindow(condition.size)))
}

/** Takes one sample of a server and says how the rule stands: failing where every condition does. Changes the memory alone. */
export function judge(
  conditions: readonly Condition[],
  memory: Memory,
  sample: Sample,
  at: { now: number; transferred: TransferredSince },
): Verdict {
  let verdict: Verdict = 'failing'
  for (let index = 0; index < conditions.length; index += 1) {
    const one = judgeOne(conditions[index]!, memory[index]!, sample, at)
    if (one === 'passing') verdict = 'passing'
    else if (one === 'unknown' && verdict === 'failing') verdict = 'unknown'
  }
  return verdict
}

function judgeOne(
  condition: Condition,
  memory: SampleWindow | CycleCheck,
  sample: Sample,
  at: { now: number; transferred: TransferredSince },
): Verdict {
  if (condition.kind === 'cycle') return checkCycle(condition, memory as CycleCheck, at)
  const window = memory as SampleWindow
  const offline = isOffline(sample, at.now)
  if (condition.kind === 'offline') {
    addSample(window, offline)
    if (!isFull(window)) return 'unknown'
    return window.failed === window.size ? 'failing' : 'passing'
  }
  const value = offline ? null : condition.read(sample.state, sample.host)
  addSample(window, value === null ? null : isOutside(condition, value))
  if (value === null || !isFull(window)) return 'unknown'
  return isFailing(window) ? 'failing' : 'passing'
}

/** What the first condition of a failing rule measured. */
export function readingOf(conditions: readonly Condition[], memory: Memory, sample: Sample): Reading {
  const [condition] = conditions
  if (!condition || condition.kind === 'offline') return { metric: 'offline', value: null, limit: null }
  const value = condition.kind === 'cycle' ? (memory[0] as CycleCheck).value : condition.read(sample.state, sample.host)
  const { type: metric, min, max } = condition
  return { metric, value, limit: max > 0 && (value === null || value > max || min <= 0) ? max : min }
}
