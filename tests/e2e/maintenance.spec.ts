import { maintenanceWindow } from '@qd/core/resources'
import { callApi } from './api.ts'
import { expect, test } from './console.ts'
import { removeServices, signIn } from './seed.ts'

test('issue 36.31 a maintenance window shows in the row, the counts, the panel, the wall and the status page, until it is deleted', async ({
  signedIn: page,
  browser,
  product,
}) => {
  const [{ id, name }] = (await callApi(page, 'GET', 'server')) as [{ id: number; name: string }]
  // The headline says what is worse than maintenance.
  await removeServices(await signIn(product))
  const hour = 3_600_000
  const window = {
    ...maintenanceWindow.initial,
    name: 'new disks',
    starts_at: new Date(Date.now() - hour).toISOString(),
    ends_at: new Date(Date.now() + hour).toISOString(),
    servers: [id],
  }
  const windowId = await callApi(page, 'POST', 'maintenance-window', window)
  const context = await browser.newContext({ baseURL: product.url })
  const wall = await context.newPage()
  await wall.goto('/wall')
  const status = await context.newPage()
  await status.goto('/')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByText(/^maintenance until/)).toBeVisible()
  await page.getByRole('button', { name: '1 in maintenance' }).click()
  await expect(page).toHaveURL(/maintenance/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await row.click()
  await expect(page.getByRole('complementary').getByText(/^maintenance until/)).toBeVisible()
  await expect(wall.getByRole('heading', { level: 1 })).toHaveText('Planned maintenance on 1 server')
  await expect(wall.getByRole('listitem').filter({ hasText: name })).toContainText('maintenance')
  await expect(status.getByText(`Planned maintenance: ${name}`, { exact: true })).toBeVisible()

  await callApi(page, 'POST', 'batch-delete/maintenance-window', [windowId])
  await page.goto('/dashboard')
  await expect(row).toBeVisible()
  await expect(row.getByText(/^maintenance until/)).toBeHidden()
  await expect(page.getByRole('button', { name: '1 in maintenance' })).toBeHidden()
  await expect(wall.getByText(/maintenance/)).toHaveCount(0)
  await expect(status.getByText(/Planned maintenance/)).toHaveCount(0)
  await context.close()
})
