import { existsSync } from 'node:fs'
import { type Language, languages } from '@qd/core/i18n'
import { texts as serverTexts } from '@qd/server/texts'
import { describe, expect, test } from 'vitest'
import literals from '../data/literals.json' with { type: 'json' }
import sameAsEnglish from '../data/same-as-english.json' with { type: 'json' }
import { readSource, root } from '../support/sources.ts'
import { derivedKeys, keysOf, placeholders, pluralForms, readTexts, writtenKeys } from '../support/texts.ts'

const english = readTexts('en-US')
const englishKeys = keysOf(english)
const others = languages.filter((language) => language !== 'en-US')
/** Texts that are still to be translated: `npm test` as a whole and `npm run pack` refuse them. */
const todo: Readonly<Record<string, readonly string[]>> = existsSync(`${root}tests/data/todo-texts.json`)
  ? JSON.parse(readSource('tests/data/todo-texts.json'))
  : {}

/** Text that has a word to translate: something besides placeholders, digits and signs. */
const hasWords = (text: string) => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ''))

/** A quoted text as locales write it: alternatives are apart, and what stands for a value is a placeholder. */
const asWritten = (quoted: string, index: number) =>
  (quoted.includes(' / ') ? quoted.split(' / ')[index]! : quoted)
    .replace(/(?<!\{)\{(\w+)\}/, '{{$1}}')
    .replace('+N', '+{{count}}')

/** What English says there, in each plural form. */
const saidBy = (key: string) =>
  [key, `${key}_one`, `${key}_other`].map((one) => english.get(one)).filter((text) => text !== undefined)

const listed = (items: readonly string[]) => (items.length === 0 ? 'none' : `${items.length}:\n  ${items.join('\n  ')}`)

describe('English', () => {
  const { whole, patterns } = writtenKeys()
  const needed = derivedKeys()

  test('has every key that definitions derive', () => {
    expect(listed([...needed].filter((key) => !englishKeys.has(key)))).toBe('none')
  })
  test('has every key that the code names', () => {
    const missing = [...whole].filter(
      ([key]) => !englishKeys.has(key) && ![...englishKeys.keys()].some((one) => one.startsWith(`${key}.`)),
    )
    expect(listed(missing.map(([key, file]) => `${key} (${file})`))).toBe('none')
  })
  test('has no key that nobody uses', () => {
    const isUsed = (key: string) => needed.has(key) || whole.has(key) || patterns.some((pattern) => pattern.test(key))
    expect(listed([...englishKeys.keys()].filter((key) => !isUsed(key)))).toBe('none')
  })
  test('issue 10: says literally everything that the specification quotes', () => {
    const quotes = [...readSource('docs/develop/sources/product-spec.md').matchAll(/(?<!\w)'([^'\n]+)'(?!\w)/g)]
    const quoted = [...new Set(quotes.map(([, text]) => text!))]
    const { texts, elsewhere, server, words } = literals
    expect(quoted.length).toBeGreaterThan(25)
    expect([...Object.keys(texts), ...Object.keys(elsewhere), ...Object.keys(server)].sort()).toEqual(quoted.sort())
    const wanted = [
      ...Object.entries(texts).flatMap(([text, keys]) =>
        keys.map((key, index) => [key, asWritten(text, index)] as const),
      ),
      ...Object.entries(words),
    ]
    const wrong = wanted.filter(
      ([key, text]) => !saidBy(key).every((found) => found === text || found.startsWith(`${text} {{`)),
    )
    expect(wrong.map(([key, text]) => ({ key, wanted: text, found: saidBy(key) }))).toEqual([])
    const serverSays: Readonly<Record<string, string>> = serverTexts
    expect(Object.entries(server).filter(([text, key]) => serverSays[key] !== text)).toEqual([])
  })
})

describe.each(languages)('%s', (language) => {
  const texts = readTexts(language)
  const keys = keysOf(texts)
  const forms = pluralForms(language)

  test('has every key', () => {
    expect(`missing ${listed([...englishKeys.keys()].filter((key) => !keys.has(key)))}`).toBe('missing none')
  })
  test('has no other key', () => {
    expect(`unknown ${listed([...keys.keys()].filter((key) => !englishKeys.has(key)))}`).toBe('unknown none')
  })
  test(`has its plural forms: ${forms.join(', ')}`, () => {
    const wrong = [...keys].filter(
      ([key, has]) =>
        englishKeys.get(key) &&
        (!has || forms.some((form) => !has.includes(form)) || has.some((form) => !forms.includes(form))),
    )
    expect(`wrong plurals ${listed(wrong.map(([key, has]) => `${key}: ${has?.join(', ') ?? 'no plural'}`))}`).toBe(
      'wrong plurals none',
    )
  })
  test('names the same values', () => {
    const wrong = [...texts].flatMap(([key, text]) => {
      const source = english.get(key) ?? english.get(key.replace(/_[a-z]+$/, '_other'))
      if (source === undefined) return []
      const [wanted, found] = [placeholders(source), placeholders(text)]
      return wanted.join() === found.join()
        ? []
        : [`${key}: {{${found.join('}} {{')}}} instead of {{${wanted.join('}} {{')}}}`]
    })
    expect(`other values ${listed(wrong)}`).toBe('other values none')
  })
  test('is written as texts are', () => {
    const wrong = [...texts].filter(
      ([, text]) => text.trim() === '' || /\.\.\.| …|\$t\(|\{\{[^}]*[^\w\s{}][^}]*\}\}|^\s|\s$/.test(text),
    )
    expect(`badly written ${listed(wrong.map(([key, text]) => `${key}: ${text}`))}`).toBe('badly written none')
  })
  test('writes values in two braces; {hash} is what an address of avatars holds', () => {
    const wrong = [...texts].filter(([, text]) => /(?<!\{)\{(?!hash\})[a-z]\w*\}(?!\})/i.test(text))
    expect(`in one brace ${listed(wrong.map(([key, text]) => `${key}: ${text}`))}`).toBe('in one brace none')
  })
  test('files are sorted, so that two people do not meet in one line', () => {
    const sorted = (node: unknown): unknown =>
      typeof node === 'object' && node !== null
        ? Object.fromEntries(
            Object.entries(node)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, child]) => [key, sorted(child)]),
          )
        : node
    for (const space of ['ui', 'resources', 'errors']) {
      const text = readSource(`locales/${language}/${space}.json`)
      expect(text).toBe(`${JSON.stringify(sorted(JSON.parse(text)), null, 2)}\n`)
    }
  })
})

describe.each(others)('%s against English', (language: Language) => {
  const texts = readTexts(language)
  const allowed: Readonly<Record<string, readonly string[]>> = sameAsEnglish
  const mayBeSame = new Set([...allowed.all!, ...(allowed[language] ?? [])])
  const same = [...texts].filter(
    ([key, text]) => hasWords(text) && text === english.get(key) && !todo[language]?.includes(key),
  )

  test('is translated, but for the texts of tests/data/same-as-english.json', () => {
    const wrong = same.filter(([, text]) => !mayBeSame.has(text)).map(([key, text]) => `${key}: ${text}`)
    expect(`equal to English ${listed(wrong)}`).toBe('equal to English none')
  })
  test('lets no text stand that is no longer the same', () => {
    const texts = new Set(same.map(([, text]) => text))
    expect((allowed[language] ?? []).filter((text) => !texts.has(text))).toEqual([])
  })
})
