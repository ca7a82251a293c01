import { startReceiver } from '../support/peers/receiver.ts'
import { expect, test } from './console.ts'
import { addService, signIn } from './seed.ts'

test('services stand in a list with their days, state and cause; the panel tells more', async ({
  signedIn: page,
  product,
}) => {
  test.setTimeout(120_000)
  const site = await startReceiver()
  try {
    const browser = await signIn(product)
    await addService(browser, { name: 'site up', target: site.origin })
    await addService(browser, { name: 'port closed', type: 3, target: '127.0.0.1:1' })
    await page.goto('/dashboard/service')
    const up = page.getByRole('row', { name: /site up/ })
    const down = page.getByRole('row', { name: /port closed/ })
    await expect(up.getByRole('img', { name: 'up', exact: true })).toBeVisible({ timeout: 40_000 })
    await expect(down.getByRole('img', { name: 'down', exact: true })).toBeVisible({ timeout: 40_000 })
    await expect(down.getByText(/^down \d+(\.\d+)? s/)).toBeVisible()
    // Figures that are no change of state come at most twice a minute.
    await expect(down.getByRole('img', { name: /uptime 0% on/ })).toBeVisible({ timeout: 40_000 })
    await page.getByRole('button', { name: /\d\s*down$/ }).click()
    await expect(up).toBeHidden()
    await page.getByRole('button', { name: /\d\s*all$/ }).click()

    await down.click()
    const panel = page.getByRole('complementary', { name: 'port closed' })
    await expect(panel.getByText('Last error')).toBeVisible()
    await expect(panel.getByText('All servers (1)')).toBeVisible()
    await expect(panel.getByRole('slider', { name: /Latency/ }).or(panel.getByText('No history yet'))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  } finally {
    await site.close()
  }
})

test('N-05 Alt and the arrows order services', async ({ signedIn: page, product }) => {
  const browser = await signIn(product)
  await addService(browser, { name: 'first one', type: 2, target: '127.0.0.1', display_index: 900 })
  await addService(browser, { name: 'second one', type: 2, target: '127.0.0.1', display_index: 899 })
  await page.goto('/dashboard/service')
  const names = () => page.getByRole('rowheader').allInnerTexts()
  const order = async () =>
    (await names()).map((name) => name.split('\n')[0]!.trim()).filter((name) => / one$/.test(name))
  await expect.poll(order).toEqual(['first one', 'second one'])
  await page.keyboard.press('j')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(order).toEqual(['second one', 'first one'])
  await page.reload()
  await expect.poll(order, { timeout: 20_000 }).toEqual(['second one', 'first one'])
})

test('a form refuses a target that fits no probe, in words, and says how many servers will look', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/service')
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog')
  await expect(form.getByText('All servers (1)').first()).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('wrong')
  await form.getByRole('textbox', { name: 'Target' }).fill('not an address')
  await form.getByRole('textbox', { name: 'Every' }).fill('5s')
  await page.keyboard.press('Control+Enter')
  await expect(form.getByRole('alert')).toHaveCount(2)
  await form.getByRole('textbox', { name: 'Target' }).fill('http://127.0.0.1:9/')
  await form.getByRole('textbox', { name: 'Every' }).fill('1m')
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(page.getByRole('row', { name: /wrong/ })).toBeVisible()
})
