import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSource, root } from '../support/sources.ts'

const page = 'docs/operate/security.md'

/** The rows of the threat model: what an actor can't do, and the tests that show it. */
const rows = readSource(page)
  .split('\n')
  .filter((line) => /^\| [^|]+ \| [^|]+ \|$/.test(line) && !line.startsWith('| Can’t |'))
/** The tests that a row names: `file: title`. */
const namedIn = (row: string) =>
  [...row.matchAll(/`((?:tests|apps|packages)\/[^`]+\.test\.ts: [^`]+)`/g)].map(([, named]) => named!)

/** What stands after the brackets that open before `from`. */
function behindBrackets(source: string, from: number): string {
  let depth = 1
  let quote = ''
  for (let at = from; at < source.length; at++) {
    const sign = source[at]!
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (`'"\``.includes(sign)) quote = sign
    else if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) depth -= 1
    if (depth === 0) return source.slice(at + 2)
  }
  return ''
}

/** The titles of a file: of its groups and of the tests outside of them, or of everything at any depth. */
function titlesOf(file: string, isTopOnly: boolean): string[] {
  const source = readSource(file)
  const calls = source.matchAll(
    isTopOnly ? /^(?:test|describe)(\.each)?(?:<[^\n]*>)?\(/gm : /\b(?:test|describe)(\.each)?(?:<[^\n]*>)?\(/g,
  )
  return [...calls].flatMap(({ 0: call, 1: each, index }) => {
    const from = index + call.length
    const rest = each ? behindBrackets(source, from) : source.slice(from)
    const title = /^\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/.exec(rest)?.[2]
    return title === undefined ? [] : [`${file}: ${title.replace(/\\(['"])/g, '$1')}`]
  })
}

const abuse = readdirSync(`${root}tests/abuse`).filter((file) => file.endsWith('.test.ts'))

test('issue 37 every row of the threat model names a test, and every test that it names is there', () => {
  expect(rows.filter((row) => namedIn(row).length === 0)).toEqual([])
  const files = [...new Set(rows.flatMap(namedIn).map((one) => one.split(': ')[0]!))]
  const known = new Set(files.flatMap((file) => titlesOf(file, false)))
  expect(rows.flatMap(namedIn).filter((one) => !known.has(one))).toEqual([])
})

test('issue 37 every test of tests/abuse is in a row of the threat model', () => {
  const named = new Set(rows.flatMap(namedIn))
  const all = abuse.flatMap((file) => titlesOf(`tests/abuse/${file}`, true))
  expect(all.length).toBeGreaterThan(70)
  expect(all.filter((one) => !named.has(one))).toEqual([])
})
