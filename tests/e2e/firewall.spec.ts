import { expect, test } from './console.ts'
import { expectNoFindings } from './layout.ts'

test('issue 14: an address is blocked with its reason and unblocked; who is connected is listed, and oneself is not blocked', async ({
  signedIn: page,
  browser,
  product,
}) => {
  const dialog = page.getByRole('dialog')
  await page.goto('/dashboard/settings/waf')
  await expect(page.getByRole('link', { name: 'WAF', exact: true })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('heading', { name: 'WAF entries', level: 1 })).toBeVisible()
  await page.keyboard.press('b')
  await dialog.getByLabel('Address or range').fill('203.0.113.7/99')
  await dialog.getByLabel('Reason').fill('scans us')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(
    dialog.getByText('Enter an IP address or range, such as 203.0.113.7 or 203.0.113.0/24').first(),
  ).toBeVisible()
  await dialog.getByLabel('Address or range').fill('203.0.113.0/24')
  await page.keyboard.press('ControlOrMeta+Enter')
  const row = page.getByRole('row', { name: /203\.0\.113\.0\/24/ })
  await expect(row).toContainText('by an admin')
  await expect(row).toContainText('until unblocked')

  await expectNoFindings(page, { shown: page.getByText('203.0.113.0/24').first(), name: 'firewall' })

  const cookies = await page.context().cookies()
  const csrf = cookies.find(({ name }) => name === 'nz-csrf')!.value
  // Other tests of this server may have blocked some.
  const { data } = await (await page.request.get('/api/v1/waf?limit=1')).json()
  const known = data.pagination.total as number
  for (let n = 1; n <= 60 - known; n += 1)
    await page.request.post('/api/v1/waf/block', {
      data: { address: `198.51.100.${n}`, duration: 0, note: '' },
      headers: { 'X-CSRF-Token': csrf },
    })
  await page.goto('/dashboard/settings/waf?page=3')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toHaveText('Previous1234…6NextTotal: 60')
  await expect(pages.getByRole('link', { name: '3', exact: true })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('row', { name: /198\.51\.100\./ })).toHaveCount(10)
  await pages.getByRole('link', { name: '6', exact: true }).click()
  await expect(page).toHaveURL(/page=6/)
  await expect(row).toBeVisible()
  await row.focus()
  await page.keyboard.press('Delete')
  const confirm = page.getByRole('alertdialog')
  await expect(confirm).toContainText('203.0.113.0/24')
  await confirm.getByRole('button', { name: /^Unblock/ }).click()
  await expect(row).toHaveCount(0)

  const visitor = await browser.newPage()
  await visitor.goto(product.url)
  await page.goto('/dashboard/settings/online-user')
  await expect(page.getByRole('row', { name: /visitor/ })).toContainText('127.0.0.1')
  const own = page.getByRole('row', { name: /admin/ }).first()
  // The list is live: who comes later than it is in it without a key.
  await expect(own).toBeVisible()
  await own.focus()
  await page.keyboard.press('b')
  await expect(page.getByText('This is your own address: blocking it would lock you out').first()).toBeVisible()
  await visitor.close()
})
