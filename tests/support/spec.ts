import { readSource } from './sources.ts'

const text = readSource('docs/develop/sources/product-spec.md')
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
