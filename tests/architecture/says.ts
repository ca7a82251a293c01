import { test } from 'vitest'
import { specSection } from '../support/spec.ts'

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
