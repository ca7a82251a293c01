import type { Reading } from '@qd/core/define'
import { unitOf } from '@qd/core/fields'
import {
  type Condition,
  type CycleCheck,
  checkCycle,
  createCycleCheck,
  isOutside,
  type TransferredSince,
  type Verdict,
} from './conditions.ts'
import { isOffline, type Sample } from './measure.ts'

export type Memory = readonly (SampleWindow | CycleCheck)[]

export function createMemory(conditions: readonly Condition[]): Memory {
  return conditions.map((condition) => (condition.kind === 'cycle' ? createCycleCheck() : createWindow(condition.size)))
}

/** Adds a sample and returns the verdict: failing if every condition fails. Changes only the memory. */
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
  const value = offline ? null : condition.read(sample)
  addSample(window, value === null ? null : isOutside(condition, value))
  if (value === null || !isFull(window)) return 'unknown'
  return isFailing(window) ? 'failing' : 'passing'
}

export function readingOf(conditions: readonly Condition[], memory: Memory, sample: Sample): Reading {
  const [condition] = conditions
  if (!condition || condition.kind === 'offline') return { metric: 'offline', value: null, limit: null }
  if (unitOf(condition.type) === 'none') return { metric: condition.type, value: null, limit: null }
  const value = condition.kind === 'cycle' ? (memory[0] as CycleCheck).value : condition.read(sample)
  const { type: metric, min, max } = condition
  return { metric, value, limit: max > 0 && (value === null || value > max || min <= 0) ? max : min }
}

interface SampleWindow {
  readonly size: number
  count: number
  failed: number
  gap: number
  next: number
  /** A bit per sample, set if it failed; null while none has, which saves memory. */
  bits: Uint8Array | null
}

export function createWindow(size: number): SampleWindow {
  return { size, count: 0, failed: 0, gap: 0, next: 0, bits: null }
}

export function addSample(window: SampleWindow, failed: boolean | null): void {
  if (failed === null) {
    window.gap += 1
    if (window.gap >= window.size) empty(window)
    return
  }
  window.gap = 0
  if (window.count < window.size) window.count += 1
  else if (isSet(window.bits, window.next)) window.failed -= 1
  if (failed) {
    window.failed += 1
    window.bits ??= new Uint8Array(Math.ceil(window.size / 8))
    window.bits[window.next >> 3]! |= 1 << (window.next & 7)
  } else if (window.bits) {
    window.bits[window.next >> 3]! &= ~(1 << (window.next & 7))
    if (window.failed === 0) window.bits = null
  }
  window.next = (window.next + 1) % window.size
}

const isFull = ({ count, size }: SampleWindow): boolean => count >= size

export const isFailing = ({ failed, size }: SampleWindow): boolean => Math.floor((failed * 100) / size) > 70

function empty(window: SampleWindow): void {
  window.count = 0
  window.failed = 0
  window.next = 0
  window.bits = null
}

const isSet = (bits: Uint8Array | null, index: number) =>
  bits !== null && (bits[index >> 3]! & (1 << (index & 7))) !== 0
