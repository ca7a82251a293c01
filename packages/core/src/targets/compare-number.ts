import { parseDuration, parseNumber, parseSize } from '../fields/index.ts'
import type { Comparison, Matcher, Operator } from './selection.ts'

/** A typed quantity, and the values that are displayed like it: from `low` up to but without `high`. */
interface Quantity {
  value: number
  low: number
  high: number
}

type Parse = (text: string) => number | null

/** Weight of the last typed digit: 1 for `96`, 0.1 for `96.5`, a mebibyte for `10M`, a minute for `1h30m`. */
function stepOf(text: string, parse: Parse): number {
  const [, decimals = '', unit = ''] = /(?:\.(\d*))?([^\d.]*)$/.exec(text) ?? []
  return (parse(`1${unit}`) ?? 1) / 10 ** decimals.length
}

/** Matches all numbers that round to it, as displayed: `96` for 95.5 up to 96.5. */
function rounded(parse: Parse): (text: string) => Quantity | null {
  return (text) => {
    const value = parse(text)
    const half = stepOf(text, parse) / 2
    return value === null ? null : { value, low: value - half, high: value + half }
  }
}

/** Matches all durations that truncate to it, as displayed: `2d` for two days up to three. */
export function parseSpan(text: string): Quantity | null {
  const value = parseDuration(text)
  return value === null ? null : { value, low: value, high: value + stepOf(text, parseDuration) }
}

export function quantityTest({ value: operand, low, high }: Quantity, operator: Operator): (value: number) => boolean {
  if (operator === '<') return (value) => value < operand
  if (operator === '<=') return (value) => value <= operand
  if (operator === '>') return (value) => value > operand
  if (operator === '>=') return (value) => value >= operand
  return (value) => value >= low && value < high
}

function comparisonOf(parse: (text: string) => Quantity | null, examples: readonly string[]): Comparison {
  return {
    ordered: true,
    compile({ text, quoted, operator }): Matcher | null {
      if (text === 'none' || (quoted && text === '')) return () => (value) => typeof value !== 'number'
      const quantity = parse(text)
      const test = quantity && quantityTest(quantity, operator)
      return test && (() => (value) => typeof value === 'number' && test(value))
    },
    suggest: () => examples,
  }
}

export const number = comparisonOf(rounded(parseNumber), [])
/** With or without the sign. */
export const percent = comparisonOf(
  rounded((text) => parseNumber(text.replace(/\s*%$/, ''))),
  ['50', '75', '90'],
)
/** Sizes, and rates per second, in bytes. */
export const bytes = comparisonOf(
  rounded((text) => parseSize(text.replace(/\/s$/i, ''))),
  ['1M', '100M', '1G', '10G'],
)
export const duration = comparisonOf(parseSpan, ['1h', '1d', '7d', '30d'])
