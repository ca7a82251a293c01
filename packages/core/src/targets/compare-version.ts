import { textsOf, textTest } from './compare-text.ts'
import type { Comparison, Matcher, Operator } from './selection.ts'

/** `before`: the words of a prerelease, after a hyphen. `own`: our agent’s version, after `+qd.` (`2.3.3+qd.0.1.0`). */
interface Version {
  numbers: readonly number[]
  before: readonly string[]
  own: readonly number[]
}

function parseVersion(text: string): Version | null {
  const [, numbers, before, build] = /^v?(\d+(?:\.\d+)*)\.?(?:-([^+]*))?(?:\+(.*))?$/i.exec(text.trim()) ?? []
  if (numbers === undefined) return null
  const [, own] = /^qd\.(\d+(?:\.\d+)*)/.exec(build ?? '') ?? []
  const list = (dotted: string | undefined) => dotted?.split('.').map(Number) ?? []
  return { numbers: list(numbers), before: before ? before.split('.') : [], own: list(own) }
}

/** Negative if the first list is smaller; missing numbers are 0. */
function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => (a[index] ?? 0) - (b[index] ?? 0))
  return at.find((difference) => difference !== 0) ?? 0
}

/** Negative if `a` is older. A prerelease is older than its release; our agents’ versions count if both have one. */
function compareVersions(a: Version, b: Version): number {
  const numbers = compareNumbers(a.numbers, b.numbers)
  if (numbers !== 0) return numbers
  if ((a.before.length === 0) !== (b.before.length === 0)) return b.before.length - a.before.length
  const before = a.before.join('.').localeCompare(b.before.join('.'), 'en', { numeric: true })
  return before !== 0 || a.own.length === 0 || b.own.length === 0 ? before : compareNumbers(a.own, b.own)
}

/** Negative if the first is older, positive if newer, 0 if equal; null if one is no version. */
export function versionOrder(a: string, b: string): number | null {
  const [first, second] = [parseVersion(a), parseVersion(b)]
  return first && second ? compareVersions(first, second) : null
}

/** `1.14` matches every version that begins so. */
function beginsWith(version: Version, wanted: Version): boolean {
  if (wanted.before.length > 0 || wanted.own.length > 0) return compareVersions(version, wanted) === 0
  return wanted.numbers.every((number, index) => (version.numbers[index] ?? 0) === number)
}

function versionTest(wanted: Version, operator: Operator): (version: Version) => boolean {
  if (operator === '<') return (version) => compareVersions(version, wanted) < 0
  if (operator === '<=') return (version) => compareVersions(version, wanted) <= 0 || beginsWith(version, wanted)
  if (operator === '>') return (version) => compareVersions(version, wanted) > 0 && !beginsWith(version, wanted)
  if (operator === '>=') return (version) => compareVersions(version, wanted) >= 0
  if (operator === '=') return (version) => compareVersions(version, wanted) === 0
  return (version) => beginsWith(version, wanted)
}

/** What is no version is compared as text. */
export const version: Comparison = {
  ordered: true,
  compile(operand): Matcher | null {
    const wanted = operand.quoted ? null : parseVersion(operand.text)
    if (!wanted) {
      const test = textTest(operand)
      return operand.operator === ':' || operand.operator === '=' ? () => (value) => test(String(value ?? '')) : null
    }
    const test = versionTest(wanted, operand.operator)
    return () => {
      const known = new Map<string, boolean>()
      return (value) => {
        const text = String(value ?? '')
        const parsed = known.has(text) ? null : parseVersion(text)
        const result = known.get(text) ?? (parsed !== null && test(parsed))
        known.set(text, result)
        return result
      }
    }
  },
  suggest: (_field, _view, values) => [...new Set(values().flatMap(textsOf))].filter((text) => text !== ''),
}
