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
  // An incident of another test has an item with the name too.
  const tile = wall.getByRole('listitem').filter({ has: wall.getByText(name, { exact: true }) })
  await expect(tile).toContainText('maintenance')
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

test('issue 39 maintenance to come is announced to visitors in their time zone, also on the page of a server', async ({
  signedIn: page,
  browser,
  product,
}) => {
  const [{ id, name }] = (await callApi(page, 'GET', 'server')) as [{ id: number; name: string }]
  const starts = new Date(Date.now() + 86_400_000)
  starts.setUTCHours(18, 30, 0, 0)
  const window = {
    ...maintenanceWindow.initial,
    name: 'new disks',
    starts_at: starts.toISOString(),
    ends_at: new Date(starts.getTime() + 3_600_000).toISOString(),
    servers: [id],
  }
  const windowId = await callApi(page, 'POST', 'maintenance-window', window)
  const context = await browser.newContext({ baseURL: product.url, timezoneId: 'Asia/Kolkata' })
  const visitor = await context.newPage()
  for (const path of ['/', `/server/${id}`]) {
    await visitor.goto(path)
    const announced = visitor.getByLabel('Current problems').locator('div').filter({ hasText: 'Planned maintenance' })
    await expect(announced).toContainText(`Planned maintenance: ${name}`)
    // 18:30 UTC is midnight in Kolkata, whatever day it is there.
    await expect(announced).toContainText(/from \S+ 00:00 to \S+ 01:00/)
  }
  await callApi(page, 'POST', 'batch-delete/maintenance-window', [windowId])
  await expect(visitor.getByText('Planned maintenance')).toHaveCount(0)
  await context.close()
})
