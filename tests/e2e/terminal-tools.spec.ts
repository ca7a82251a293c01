import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'
import { linesOf, openTerminal, run, runAfterInterrupt, serverId } from './terminal-page.ts'

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})

/** Selects the word that stands alone on a line. */
async function select(page: Page, word: string): Promise<void> {
  await linesOf(page).getByText(word, { exact: true }).dblclick({ force: true })
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('the terminal is no part of the first load', async ({ signedIn: page, product }) => {
  await serverId(product.url)
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto('/dashboard')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((url) => /terminal|addon/i.test(url))).toEqual([])
})

test('W-03 wide, joined and broken characters take the room that programs think they take', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  const column = (text: string) =>
    run(page, `bash -c "printf '${text}\\\\033[6n'; IFS=';' read -rsd R row col; echo; echo column \\$col."`)
  await column('\u65e5\u672c\u8a9e')
  await expect(linesOf(page)).toContainText('column 7.')
  await column('e\u0301')
  await expect(linesOf(page)).toContainText('column 2.')
  await column('\u{1f469}\u200d\u{1f469}\u200d\u{1f467}')
  await expect(linesOf(page)).toContainText('column 3.')
  await run(page, 'printf \'\\377\\376\\303(broken\\200)\\n\'; echo "go"es on')
  await expect(linesOf(page)).toContainText('goes on')
  await expect(linesOf(page)).toContainText('(broken')
})

test('W-05, W-06 Ctrl+Shift+C copies what is selected, Ctrl+Shift+V and Shift+Insert paste, Ctrl+C does not copy', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  await run(page, 'clear; echo "cop""ied"; cat -v')
  await expect(linesOf(page)).toContainText('copied')
  await select(page, 'copied')
  await page.keyboard.press('Control+Shift+c')
  await expect.poll(() => clipboard(page)).toBe('copied')
  await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'))
  await page.keyboard.press('Control+Shift+v')
  await expect(linesOf(page)).toContainText('from elsewhere')
  await page.keyboard.press('Shift+Insert')
  await expect(linesOf(page)).toContainText('from elsewherefrom elsewhere')
  await select(page, 'copied')
  await page.keyboard.press('Control+c')
  expect(await clipboard(page)).toBe('from elsewhere')
  await runAfterInterrupt(page, 'echo "in" "the shell"', 'in the shell')
})

test('W-06 what is selected is copied at once where that is chosen, also where the browser refuses the newer way', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await run(page, 'clear; echo "by the ol""der"; echo "w""ay"')
  await expect(linesOf(page)).toContainText('older')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy on select' }).click()
  await select(page, 'way')
  await expect.poll(() => clipboard(page)).toBe('way')
})

test('W-09 the scrollback is saved as text and cleared', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'clear; seq -f "line %g of many" 200')
  await expect(linesOf(page)).toContainText('line 200 of many')
  await page.getByRole('button', { name: 'More' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save scrollback' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.txt$/)
  expect(readFileSync(await download.path(), 'utf8')).toMatch(
    /line 1 of many\nline 2 of many\n(?:.*\n)*line 200 of many\n/,
  )
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Clear scrollback' }).click()
  await expect(linesOf(page)).not.toContainText('line 199 of many')
})

test('W-15 full screen asks the browser for the keys that it keeps', async ({ signedIn: page, product }) => {
  await page.addInitScript(() => {
    const keyboard = { lock: async () => void document.documentElement.setAttribute('data-locked', '') }
    Object.defineProperty(navigator, 'keyboard', { value: keyboard })
  })
  await openTerminal(page, product.url)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect(page.locator('html[data-locked]')).toBeAttached()
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
})

test('W-18 the screen reader mode says what comes, and axe finds nothing in it', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  await expect(page.locator('.xterm-accessibility')).toHaveCount(0)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Screen reader mode' }).click()
  await expect(page.locator('.xterm-accessibility')).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Terminal input' }).focus()
  await run(page, 'echo "said" "aloud"')
  await expect(page.locator('.xterm-accessibility')).toContainText('said aloud')
  expect(await violations(page)).toEqual([])
})
