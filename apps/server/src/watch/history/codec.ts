import type { Figure, Step } from './steps.ts'
import { startOf } from './steps.ts'

/*
 * A step as text, for both databases: numbers in base 32, least digit first; a letter of the first half of the alphabet ends each. A step
 * of a row begins with its index; then samples, failures, and per metric its values as multiples of 1/scale: mean (sign in the lowest
 * bit), mean - min, max - mean, last - min. `.`: unknown. `=` before a mean: constant.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const unknown = '.'
const still = '='
const values = new Uint8Array(128)
for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index

/** Factors before rounding, one per metric. */
export type Scales = readonly number[]

/** Maximum of a value, in multiples of 1/scale. */
const most = 2 ** 50

/** Build buffer: concatenated strings would keep every piece in memory. */
const scratch = Buffer.alloc(64 * 1024)
let end = 0

function letter(text: string): void {
  scratch[end++] = text.charCodeAt(0)
}

function number(value: number): void {
  let rest = value
  while (rest >= 32) {
    scratch[end++] = alphabet.charCodeAt(32 + (rest % 32))
    rest = Math.floor(rest / 32)
  }
  scratch[end++] = alphabet.charCodeAt(rest)
}

function written(): string {
  const text = scratch.toString('latin1', 0, end)
  end = 0
  return text
}

const whole = (value: number, scale: number) => Math.max(-most, Math.min(most, Math.round(value * scale)))

function figure([mean, min, max, last]: Figure, scale: number): void {
  const [low, high] = [whole(min, scale), whole(max, scale)]
  const middle = Math.max(low, Math.min(high, whole(mean, scale)))
  if (low === high) letter(still)
  number(middle < 0 ? -middle * 2 - 1 : middle * 2)
  if (low === high) return
  number(middle - low)
  number(high - middle)
  number(Math.max(low, Math.min(high, whole(last, scale))) - low)
}

function step({ n, down, figures }: Omit<Step, 'at'>, scales: Scales): void {
  number(n)
  number(down)
  for (const [index, scale] of scales.entries()) {
    const known = figures[index]
    if (known) figure(known, scale)
    else letter(unknown)
  }
}

export function encodeStep(of: Omit<Step, 'at'>, scales: Scales): string {
  step(of, scales)
  return written()
}

export function encodeRow(
  steps: readonly Step[],
  { at, stepMs }: { at: number; stepMs: number },
  scales: Scales,
): string {
  for (const each of steps) {
    letter(alphabet[(startOf(each.at, stepMs) - at) / stepMs]!)
    step(each, scales)
  }
  return written()
}

interface Cursor {
  text: string
  at: number
}

function readNumber(cursor: Cursor): number {
  let value = 0
  let weight = 1
  for (;;) {
    const digit = values[cursor.text.charCodeAt(cursor.at++)]!
    if (digit < 32) return value + digit * weight
    value += (digit - 32) * weight
    weight *= 32
  }
}

function readFigure(cursor: Cursor, scale: number): Figure | null {
  const mark = cursor.text[cursor.at]
  if (mark === unknown || mark === still) cursor.at += 1
  if (mark === unknown) return null
  const start = readNumber(cursor)
  const middle = start % 2 === 1 ? -(start + 1) / 2 : start / 2
  const mean = middle / scale
  if (mark === still) return [mean, mean, mean, mean]
  const low = middle - readNumber(cursor)
  const high = middle + readNumber(cursor)
  return [mean, low / scale, high / scale, (low + readNumber(cursor)) / scale]
}

function skipFigure(cursor: Cursor): void {
  const mark = cursor.text[cursor.at]
  if (mark === unknown) cursor.at += 1
  else if (mark === still) {
    cursor.at += 1
    readNumber(cursor)
  } else for (let left = 4; left > 0; left--) readNumber(cursor)
}

/** Indexes of the metrics to read; absent: all. `figures` then holds only those, in stored order. */
export type Pick = ReadonlySet<number>

function readStep(cursor: Cursor, at: number, scales: Scales, pick?: Pick): Step {
  const n = readNumber(cursor)
  const down = readNumber(cursor)
  const figures: (Figure | null)[] = []
  for (const [index, scale] of scales.entries()) {
    if (pick && !pick.has(index)) skipFigure(cursor)
    else figures.push(readFigure(cursor, scale))
  }
  return { at, n, down, figures }
}

export function decodeStep(text: string, at: number, scales: Scales, pick?: Pick): Step {
  return readStep({ text, at: 0 }, at, scales, pick)
}

export function decodeRow(text: string, row: { at: number; stepMs: number }, scales: Scales, pick?: Pick): Step[] {
  const cursor = { text, at: 0 }
  const steps: Step[] = []
  while (cursor.at < text.length) {
    const place = values[text.charCodeAt(cursor.at++)]!
    steps.push(readStep(cursor, row.at + place * row.stepMs, scales, pick))
  }
  return steps
}
