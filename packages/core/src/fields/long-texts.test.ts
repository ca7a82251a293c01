import { expect, test } from 'vitest'
import { parseDuration, parseNumber, parseRules, parseSize } from './index.ts'

const many = 20_000
const blanks = ' '.repeat(many)

/** Texts that a pattern with two ways to share a run out takes minutes to refuse. */
const texts = {
  'blanks inside a rule': `cpu${blanks}> 9${blanks}for${blanks}!`,
  'blanks before the servers': `cpu > 9 on all${blanks}!`,
  'tabs at the end of a limit': `cpu > 9${'\t'.repeat(many)}!`,
  'many words': `cpu > 9 for${' a'.repeat(many)} !`,
  digits: `${'9'.repeat(many)}!`,
  'digits and dots': `${'1.'.repeat(many)}!`,
  'digits and a unit': `${'9'.repeat(many)}${blanks}x`,
  'units without end': `${'1h'.repeat(many)}!`,
}

test.each(Object.entries(texts))('issue 11.8: %s, however many, are refused at once', (_name, text) => {
  const started = performance.now()
  expect(parseRules(text, () => 1)).toMatchObject({ ok: false })
  for (const parse of [parseNumber, parseDuration, parseSize]) expect(parse(text)).toBeNull()
  expect(performance.now() - started).toBeLessThan(1000)
})

test('issue 11.8: blanks between the words of a rule do not count, those in a name do', () => {
  const named: string[] = []
  const byName = (name: string) => {
    named.push(name)
    return 7
  }
  const text = 'cpu   >  90 %   for \t 1 m  on  only  web  1 ,  b'
  expect(parseRules(text, byName)).toMatchObject({
    ok: true,
    rules: [{ type: 'cpu', max: 90, duration: 20, cover: 1 }],
  })
  expect(named).toEqual(['web  1', 'b'])
})
