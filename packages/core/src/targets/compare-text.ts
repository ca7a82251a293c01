import { type Field, queryWords } from '../define/index.ts'
import { defined, firstItem, lastItem } from '../errors.ts'
import type { Comparison, Matcher, Operand } from './selection.ts'

/** Ignores case: `=` compares the whole text, `*` is a wildcard in the whole text, else a part is enough. */
export function textTest({ text, quoted, operator }: Operand): (text: string) => boolean {
  if (quoted && text === '') return (candidate) => candidate === ''
  if (!quoted && text.includes('*')) return globTest(text.toLowerCase())
  // A pattern ignores case without copying each candidate, three times as fast as `toLowerCase`.
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const pattern = new RegExp(operator === '=' ? `^(?:${literal})$` : literal, 'iu')
  return (candidate) => pattern.test(candidate)
}

function globTest(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*')
  const first = firstItem(parts)
  const last = lastItem(parts)
  return (text) => {
    const candidate = text.toLowerCase()
    if (!candidate.startsWith(first) || !candidate.endsWith(last)) return false
    let at = first.length
    for (const part of parts.slice(1, -1)) {
      const found = candidate.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= candidate.length - last.length
  }
}

export function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return value === null || value === undefined ? [] : [String(value)]
}

/** One of the texts must match; an empty value is the empty text. */
export const text: Comparison = {
  ordered: false,
  compile(operand): Matcher {
    const test = textTest(operand)
    return () => (value) => {
      const texts = textsOf(value)
      return texts.length === 0 ? test('') : texts.some(test)
    }
  },
  suggest: (_field, _view, values) => distinct(values().flatMap(textsOf)),
}

/** IPv4 and IPv6 are joined by a slash, so test each; also test the whole, because a range has a slash too. */
export const address: Comparison = {
  ...text,
  compile(operand): Matcher {
    const test = textTest(operand)
    return () => (value) => {
      const whole = String(value ?? '')
      return test(whole) || whole.split('/').some(test)
    }
  },
  suggest: (_field, _view, values) => distinct(values().flatMap((value) => String(value ?? '').split('/'))),
}

export const choice: Comparison<Extract<Field, { kind: 'choice' }>> = {
  ordered: false,
  compile({ text: typed, prefix, operator }, field): Matcher | null {
    const { options, covers = {} } = field
    const wanted = plainName(typed)
    const fits = ([option, value]: [string, string | number]) => {
      const names = queryWords(field, option).map(plainName)
      return String(value) === typed || names.some((name) => (prefix ? name.startsWith(wanted) : name === wanted))
    }
    const meant = Object.entries(options).filter(fits)
    const covered = operator === ':' ? meant.flatMap(([name]) => covers[name] ?? []) : []
    const values = [...meant.map(([, value]) => value), ...covered.map((name) => defined(options[name]))]
    if (/^\d+$/.test(typed)) values.push(Number(typed))
    return values.length === 0 ? null : () => (value) => values.includes(value as string | number)
  },
  suggest: (field) => Object.keys(field.options).map((option) => firstItem(queryWords(field, option))),
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
}

export const flag: Comparison = {
  ordered: false,
  compile({ text: typed, prefix }): Matcher | null {
    const lower = typed.toLowerCase()
    const name = Object.keys(flags).find((word) => word === lower || (prefix && lower !== '' && word.startsWith(lower)))
    return name === undefined ? null : () => (value) => value === flags[name]
  },
  suggest: () => ['true', 'false'],
}

/** Ignores case, hyphens and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '')
}
