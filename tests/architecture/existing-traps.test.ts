import { describe, expect, test } from 'vitest'
import { readSource } from '../support/sources.ts'
import { driftProofs, type Proof, trapProofs } from './existing-traps.ts'

const behaviours = readSource('docs/develop/sources/behaviours.md')

/** The first cell of each row of a table. */
function rowsOf(heading: string): string[] {
  const section = behaviours.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? ''
  const rows = section.split('\n').filter((line) => /^\| /.test(line))
  return rows.slice(1).map((row) => row.slice(2).split(' | ')[0]!)
}

/** How the tests of a file are named. */
function testsOf(file: string): string[] {
  const named =
    /\btest(?:\.\w+)*(?:<[\s\S]*?>)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,|\]\)\(\s*(['"`])((?:\\.|(?!\3).)*)\3\s*,|\btest\.each\(\w+\)\(\s*(['"`])((?:\\.|(?!\5).)*)\5\s*,/g
  return [...readSource(file).matchAll(named)].map((match) => match[2] ?? match[4] ?? match[6]!)
}

const tables: readonly [heading: string, rows: number, proofs: Readonly<Record<string, readonly Proof[]>>][] = [
  ['Contract drift that the client survives', 14, driftProofs],
  ['Traps in what upstream answers', 16, trapProofs],
]

describe.each(tables)('%s', (heading, count, proofs) => {
  const rows = rowsOf(heading)
  const names = Object.keys(proofs)
  test('each row has one entry, and each entry a row', () => {
    expect(rows.length).toBeGreaterThanOrEqual(count)
    const fitting = (row: string) =>
      names.filter((name) => (name === 'Role' || name === 'New' ? row === name : row.startsWith(name)))
    expect(rows.filter((row) => fitting(row).length !== 1)).toEqual([])
    expect(names.filter((name) => !rows.some((row) => fitting(row).includes(name)))).toEqual([])
    expect(names.filter((name) => proofs[name]!.length === 0)).toEqual([])
  })

  test.each(names.flatMap((name) => proofs[name]!.map(([file, proof]) => [name, file, proof])))(
    '%s: %s has “%s”',
    (_name, file, proof) => expect(testsOf(file!)).toContain(proof),
  )
})
