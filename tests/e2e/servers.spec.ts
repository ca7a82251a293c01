import { admin, expect, test } from './console.ts'
import { layCable } from './terminal-page.ts'

test('story 2: this machine is in the list within 10 s, and its figures change', async ({ signedIn: page }) => {
  const row = page.getByRole('row').nth(1)
  await expect(row).toBeVisible({ timeout: 10_000 })
  await expect(row.getByText('none', { exact: true })).toBeVisible()
  const before = await row.innerText()
  await expect.poll(() => row.innerText(), { timeout: 10_000 }).not.toBe(before)
})

test('Enter opens the panel of a server with its last minutes, Escape closes it', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary')
  await expect(panel.getByText('Address', { exact: true })).toBeVisible()
  await expect(panel.locator('svg path').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
})

test('the filter is in the address and Escape leaves, then clears it', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('offline')
  await expect(page).toHaveURL(/offline/)
  await expect(page.getByRole('row')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/offline/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/offline/)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

test('issue 36.28 a browser without network keeps the states of all servers, says it at once and once', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard')
  const counts = page.getByRole('button', { name: /^\d+ (online|warning)/ })
  const row = page.getByRole('row').nth(1)
  const stored = await row.innerText()
  // The feed is live once the figures move.
  await expect.poll(() => row.innerText()).not.toBe(stored)
  // Time is the page's own, so that a minute without network takes none.
  await page.clock.install()
  await page.context().setOffline(true)
  await expect(page.getByText('Connection lost')).toBeVisible()
  await expect(counts.first()).toBeVisible()
  const before = await counts.allInnerTexts()
  for (let step = 0; step < 6; step++) {
    await page.clock.runFor(10_000)
    expect(await counts.allInnerTexts()).toEqual(before)
  }
  await expect(page.getByRole('button', { name: 'Retry now' })).toHaveCount(1)
  await page.context().setOffline(false)
  await expect(page.getByText('Connection lost')).toBeHidden()
})

test('a lost network is said with the age of the data and a countdown, the rows stay and lose their colour, and R does not wait', async ({
  page,
  product,
}) => {
  const cable = await layCable(product.url)
  try {
    await page.goto(`${cable.url}/dashboard/login`)
    await page.getByRole('textbox', { name: 'Username' }).fill(admin.username)
    await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
    await page.keyboard.press('Enter')
    const head = page.getByRole('row').nth(1).getByRole('rowheader')
    // Beside the name there may be why a busy machine is under pressure, in a colour of its own.
    const machine = (await head.innerText()).split('\n')[0]!.trim()
    const name = head.getByText(machine, { exact: true })
    await expect(name).toBeVisible()
    const colour = () => name.evaluate((element) => getComputedStyle(element).color)
    const before = await colour()
    cable.unplug()
    await expect(page.getByText('Connection lost')).toBeVisible()
    await expect(page.getByText(/Showing data from \d.*, \d+ s ago\./)).toBeVisible()
    await expect(page.getByText(/Retrying in \d+ s\./)).toBeVisible()
    await expect(name).toBeVisible()
    expect(await colour()).not.toBe(before)
    cable.plugIn()
    await page.keyboard.press('Shift+R')
    await expect(page.getByText('Connection lost')).toBeHidden()
    await expect.poll(colour).toBe(before)
  } finally {
    await cable.close()
  }
})
