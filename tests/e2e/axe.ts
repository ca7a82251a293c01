import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong on the page, or in what the selector `within` names: a rule and its elements each. Not by `@axe-core/playwright`,
 * which loads axe for each scan and opens a page for each report: that takes five times as long.
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async (within) => {
    // What is on its way to another color would be judged on it.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    const scanner = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await scanner.run(within ?? document, {
      resultTypes: ['violations'],
      // Issue 12.14: who speaks to the page says what can be read there. The rule is off by default, as it is new.
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }, within)
}
