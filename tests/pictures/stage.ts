import { expect, type Page } from '@playwright/test'
import type { Fleet } from './fleet.ts'

/** Where a picture is taken. */
export interface Stage {
  readonly page: Page
  readonly fleet: Fleet
  /** Under 600 px: rows are cards, the menu is at the side. */
  readonly isPhone: boolean
}

/** Shows a page without loading the console again, so that the trends keep their past. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** Closes what is open, clears marks and filter, and leaves the field. */
export async function settle(page: Page): Promise<void> {
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Escape')
    const discard = page.getByRole('alertdialog').getByRole('button', { name: 'Discard' })
    if (await discard.isVisible()) await discard.click()
  }
}

/** A list, by its filter. */
export async function list({ page }: Stage, path: string, filter = ''): Promise<void> {
  await settle(page)
  await show(page, path)
  if (filter !== '') {
    await page.getByRole('search').getByRole('combobox').fill(filter)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('row').last()).toBeVisible()
}

/** Moves the keyboard's cursor to the row of a name; cards on a phone have no focus to follow, so there the list is cut down to it. */
export async function focusRow(stage: Stage, path: string, name: string): Promise<void> {
  const { page, isPhone } = stage
  if (isPhone) {
    await list(stage, path, name)
    await page.keyboard.press('j')
    return
  }
  await list(stage, path)
  await page.keyboard.press('Home')
  for (let step = 0; step < 60; step++) {
    const text = await page.evaluate(() => document.activeElement?.closest('[role=row]')?.textContent ?? '')
    if (text.includes(name)) return
    await page.keyboard.press('j')
  }
  throw new Error(`no row ${name} on ${path}`)
}
