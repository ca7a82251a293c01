import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callApi, changeSettings } from './api.ts'
import { expect, test } from './console.ts'

test('issue 10: the sign-in page shows the site’s name and language to who has chosen none', async ({
  signedIn: page,
  browser,
  product,
}) => {
  await changeSettings(page, { site_name: 'Harbour', language: 'de-DE' })
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(`${product.url}/dashboard/login`)
  await expect(guest.getByRole('heading', { name: 'Bei Harbour anmelden' })).toBeVisible()
  await expect(guest).toHaveTitle('Harbour')
  await guest.context().close()
  await changeSettings(page, { site_name: 'Quarterdeck', language: 'en-US' })
})

test('issue 10: custom code that was emptied is gone from the console and the public page, and that is said', async ({
  signedIn: page,
  product,
  browser,
}) => {
  const code = '<style>body { outline: 3px solid red }</style>bare text<b id="mine">added</b>'
  await changeSettings(page, { custom_code: code, custom_code_dashboard: code })
  await page.goto('/dashboard/settings')
  await expect(page.getByText('bare text', { exact: true })).toBeVisible()
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(product.url)
  await expect(guest.getByText('bare text', { exact: true })).toBeVisible()

  const field = page.getByRole('textbox', { name: 'Dashboard custom code' })
  await field.fill('')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/Custom code removed/).first()).toBeVisible()
  await expect(page.getByText('bare text', { exact: true })).toBeHidden()
  await expect(page.locator('#mine')).toHaveCount(0)
  await expect(page.locator('body')).toHaveCSS('outline-style', 'none')

  await changeSettings(page, { custom_code: '' })
  await guest.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(guest.getByText('bare text', { exact: true })).toBeHidden()
  await guest.context().close()
})

test('issue 10: below 600 px the copyright and the version stand in the menu', async ({ signedIn: page }) => {
  const line = /Quarterdeck \d+\.\d+\.\d+ · © \d{4}–\d{4}/
  await expect(page.getByRole('contentinfo').getByText(line)).toBeVisible()
  await page.setViewportSize({ width: 400, height: 800 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible()
  await expect(page.getByText(line)).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByText(line)).toBeVisible()
})

test('issue 10: a note has a button that copies it and ticks for 2 s', async ({ signedIn: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [server] = (await callApi(page, 'GET', 'server')) as Record<string, unknown>[]
  const note = 'rack 4\nsecond line'
  await callApi(page, 'PATCH', `server/${server!.id}`, { ...server, note })
  await page.clock.install()
  await page.goto(`/dashboard?open=${server!.id}`)
  const panel = page.getByRole('complementary')
  const button = panel.getByRole('button', { name: 'Copy: Private note' })
  await button.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(note)
  const shape = () => button.locator('svg').innerHTML()
  const ticked = await shape()
  await page.clock.fastForward(2100)
  await expect.poll(shape).not.toBe(ticked)
  await page.keyboard.press('y')
  await page.getByRole('option', { name: /Copy private note/ }).click()
  await expect(page.getByText(/^Copied/).first()).toBeVisible()
  await callApi(page, 'PATCH', `server/${server!.id}`, { ...server, note: '' })
})

test('issue 10: the mascot is small, stands still where less motion is asked for, and can be switched off', async ({
  page,
  browser,
  product,
}) => {
  const mascot = page.locator('[data-mascot]')
  await page.goto('/dashboard/login')
  await expect(mascot).toBeVisible()
  expect((await mascot.boundingBox())!.height).toBeLessThan(64)
  const moving = () => mascot.evaluate((element) => element.getAnimations({ subtree: true }).length)
  expect(await moving()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moving()).toBe(0)

  const other = await (await browser.newContext()).newPage()
  await other.addInitScript(() => Object.assign(globalThis, { DisableAnimatedMan: true }))
  await other.goto(`${product.url}/dashboard/login`)
  await expect(other.getByRole('textbox', { name: 'Username' })).toBeVisible()
  await expect(other.locator('[data-mascot]')).toHaveCount(0)
  await other.context().close()
})

test('issue 10: avatars are drawn here, or come from the service of the settings, which gets a hash and no name', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  const service = createServer((request, response) => {
    asked.push(String(request.url))
    if (request.url?.startsWith('/broken')) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': 'image/svg+xml' })
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24"/></svg>')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const account = page.getByRole('button', { name: /^Account: admin/ })
  await expect(account.locator('svg')).toBeVisible()
  await changeSettings(page, { avatar_service: `${origin}/pictures/{hash}.svg` })
  await page.goto('/dashboard')
  const picture = account.locator('img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(24)
  expect(asked[0]).toMatch(/^\/pictures\/[0-9a-f]{64}\.svg$/)
  expect(asked.join()).not.toContain('admin')

  await changeSettings(page, { avatar_service: `${origin}/broken/` })
  await page.goto('/dashboard')
  await expect(account.locator('svg')).toBeVisible()
  await expect(picture).toHaveCount(0)
  await changeSettings(page, { avatar_service: '' })
  service.close()
})
