import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSource } from '../support/sources.ts'
import { specSection } from '../support/spec.ts'
import { type Elsewhere, provenElsewhere, saysNothing } from './spec-sentences.ts'

/** Section 7 is walked row by row (spec-checklist-calls, spec-payloads). */
const sections = [1, 2, 3, 4, 5, 6, 8, 9]

/** The sentences of a section; a row of a table is one. */
function sentencesOf(section: number): string[] {
  const lines = specSection(section).split('\n').slice(1)
  return lines
    .filter((line) => /\S/.test(line) && !/^###|^\|[-|]+$|^\| Route /.test(line))
    .flatMap((line) => (line.startsWith('|') ? [line] : line.replace(/^- /, '').split(/(?<=[.!]['"]?\)?) (?=[A-Z'])/)))
    .map((sentence) => sentence.trim())
}

/** The words that the cases of the checklist cite: `says(2, '…'` and the tables of such words. */
const cited = [
  ...readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.startsWith('spec-checklist-'))
    .map((name) => `tests/architecture/${name}`),
  'tests/e2e/spec-pages.spec.ts',
  'tests/e2e/spec-lists.spec.ts',
].flatMap((file) => {
  const source = readSource(file)
  const unescaped = (words: string) => words.replace(/\\(['"])/g, '$1')
  return [
    ...[...source.matchAll(/says\(\s*(\d),\s*(["'`])(.*?[^\\])\2,/gs)].map(([, section, , words]) => ({
      section: Number(section),
      words: unescaped(words!),
    })),
    ...[...source.matchAll(/^ {2}\[\w+, (["'])(.*?)\1\],$/gm)].map(([, , words]) => ({ section: 5, words: words! })),
  ]
})

const elsewhere = (section: number): readonly Elsewhere[] => provenElsewhere[section] ?? []
const isOf = (sentence: string, words: string) =>
  sentence.includes(words) ||
  words.includes(sentence) ||
  words.split(/(?<=\.) /).some((part) => sentence.includes(part))

describe('every sentence of the specification has a case', () => {
  test.each(sections)('section %i', (section) => {
    const known = [
      ...cited.filter((one) => one.section === section).map(({ words }) => words),
      ...elsewhere(section).map(({ words }) => words),
      ...saysNothing,
    ]
    const sentences = sentencesOf(section)
    expect(sentences.length).toBeGreaterThan(4)
    expect(sentences.filter((sentence) => !known.some((words) => isOf(sentence, words)))).toEqual([])
  })
})

describe('what is proven elsewhere is', () => {
  test.each(sections.flatMap((section) => elsewhere(section).map((one) => ({ section, ...one }))))(
    '$section: $words',
    ({ section, words, file, test: name }) => {
      expect(specSection(section)).toContain(words)
      expect(readSource(file)).toContain(name)
    },
  )
})
