import { test } from 'vitest'
import { readSource } from './sources.ts'

const text = readSource('docs/reference/product-spec.md')
const sections = new Map(
  text
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((section) => [Number.parseInt(section, 10), section] as const),
)

/** The text of a section of the specification. Errors: where there is none. */
export function specSection(section: number): string {
  const found = sections.get(section)
  if (found === undefined) throw new Error(`the specification has no section ${section}`)
  return found
}

/**
 * A case of the checklist, named by the words of the specification that it holds to. It is red where the words no longer
 * stand in that section.
 */
export function says(section: number, words: string, run: () => void | Promise<void>): void {
  test(`${section}: ${words}`, async () => {
    if (!specSection(section).includes(words)) throw new Error(`section ${section} does not say: ${words}`)
    await run()
  })
}
