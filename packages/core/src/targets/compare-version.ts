import { textsOf, textTest } from './compare-text.ts'
import type { Comparison, Matcher, Operator } from './selection.ts'

/** A version: its numbers and, after a hyphen, the words of what comes before its release. */
interface Version {
  numbers: readonly number[]
  before: readonly string[]
}

function parseVersion(text: string): Version | null {
  const [, numbers, before] = /^v?(\d+(?:\.\d+)*)\.?(?:-([^+]*))?(?:\+.*)?$/i.exec(text.trim()) ?? []
  if (numbers === undefined) return null
  return { numbers: numbers.split('.').map(Number), before: before ? before.split('.') : [] }
}

/** Below zero when `a` is older; absent numbers are 0, and what comes before a release is older than it. */
function compareVersions(a: Version, b: Version): number {
  for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  return a.before.join('.').localeCompare(b.before.join('.'), 'en', { numeric: true })
}

/** Below zero when the first is older, above when newer, 0 for the same; null if one is no version. */
export function versionOrder(a: string, b: string): number | null {
  const [first, second] = [parseVersion(a), parseVersion(b)]
  return first && second ? compareVersions(first, second) : null
}

/** `1.14` is every version that begins so. */
function beginsWith(version: Version, wanted: Version): boolean {
  if (wanted.before.length > 0) return compareVersions(version, wanted) === 0
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

/** Versions by their order; what is no version has none, and is asked for as text. */
export const version: Comparison = {
  ordered: true,
  compile(asked): Matcher | null {
    const wanted = asked.quoted ? null : parseVersion(asked.text)
    if (!wanted) {
      const test = textTest(asked)
      return asked.operator === ':' || asked.operator === '=' ? () => (value) => test(String(value ?? '')) : null
    }
    const test = versionTest(wanted, asked.operator)
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
