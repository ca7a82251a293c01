import { parseRules, ruleMetrics } from '@qd/core/fields'
import { placeholders } from '@qd/core/schemas'
import { describe, expect, test } from 'vitest'
import { readSource } from '../support/sources.ts'

/** Words in backquotes in the first column of a page's tables. */
function tableWords(page: string, pattern: RegExp): string[] {
  return readSource(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
    .filter((word) => pattern.test(word))
}

describe('docs/alert-rules.md', () => {
  test('names every metric once', () => {
    const isMetric = (word: string) => Object.hasOwn(ruleMetrics, word)
    const named = tableWords('docs/alert-rules.md', /^[a-z0-9_]+$/)
    const first = named.slice(0, Object.keys(ruleMetrics).length)
    expect(first.filter(isMetric).sort()).toEqual(Object.keys(ruleMetrics).sort())
  })
  test('every condition it shows can be read', () => {
    const [, block = ''] = /```conditions\n([\s\S]*?)```/.exec(readSource('docs/alert-rules.md')) ?? []
    const parsed = parseRules(block, (name) => name.length)
    expect(parsed).toMatchObject({ ok: true })
    expect(parsed.ok && parsed.rules).toHaveLength(6)
  })
})

test('docs/notifiers.md names every placeholder once', () => {
  expect(tableWords('docs/notifiers.md', /^#/).sort()).toEqual([...placeholders].sort())
})
