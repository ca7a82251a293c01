import { test } from '@playwright/test'
import { specSection } from '../support/spec.ts'

/** A step that proves words of the product spec; it is red where the words no longer stand in that section. The checklist (tests/architecture) finds it by its words. */
export async function says(section: number, words: string, run: () => Promise<void>): Promise<void> {
  if (!specSection(section).includes(words)) throw new Error(`section ${section} does not say: ${words}`)
  await test.step(`${section}: ${words}`, run)
}
