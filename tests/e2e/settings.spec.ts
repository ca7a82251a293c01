import { callApi, changeSettings } from './api.ts'
import { expect, test } from './console.ts'

test('settings of notices and history: entries as chips, what depends on a switch, size on the disk', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/settings')
  await expect(page.getByText(/Currently uses .+ of disk space\./)).toBeVisible()
  const tells = page.getByRole('combobox', { name: 'Notification group' })
  await expect(tells).toHaveCount(0)
  await page.getByRole('switch', { name: 'Notify when an address changes' }).focus()
  await page.keyboard.press('Space')
  await expect(tells).toBeVisible()
  await page.keyboard.press('Space')
  const entries = page.getByRole('textbox', { name: 'Private addresses notifiers can call' })
  await entries.fill('10.0.0.0/8')
  await page.keyboard.press('Enter')
  await page.keyboard.type('host!')
  await page.keyboard.press('Control+Enter')
  await expect(entries).toHaveAttribute('aria-invalid', 'true')
  await expect(entries).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('push.lan:8080')
  await page.getByRole('button', { name: 'Remove 10.0.0.0/8' }).click()
  await expect(page.getByRole('button', { name: 'Remove 10.0.0.0/8' })).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Saved/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove push.lan:8080' })).toBeVisible()
  await changeSettings(page, { outbound_allowlist: [] })
  // Issue 12.13: after a save in a field `z` takes it back and is no letter of it.
  const zone = page.getByRole('textbox', { name: 'Time zone' })
  await zone.fill('Europe/Berlin')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Saved/)).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByText('Undone')).toBeVisible()
  await expect(zone).toHaveValue('')
})

test('D6: what could shut somebody out is saved on trial, and kept by a button', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings')
  await page.getByRole('textbox', { name: 'Dashboard custom code' }).fill('<!-- tried -->')
  await page.keyboard.press('Control+Enter')
  const trial = page.getByText(/^Saved for now\. The previous settings return in/)
  await expect(trial).toBeVisible()
  await page.getByRole('button', { name: 'Keep settings' }).click()
  await expect(trial).toHaveCount(0)
  const { config } = (await callApi(page, 'GET', 'setting')) as { config: Record<string, unknown> }
  expect(config.custom_code_dashboard).toBe('<!-- tried -->')
  await changeSettings(page, { custom_code_dashboard: '' })
})

test('issue 36.32 settings that can’t be read are the Oops page with the server’s text, also when values came with the page', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.route('**/api/v1/setting', (route) => route.fulfill({ status: 500, json: { error: 'disk is gone' } }))
  await page.keyboard.press('g')
  await page.keyboard.press(',')
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
  await expect(page.getByText('disk is gone')).toBeVisible()
  await page.unroute('**/api/v1/setting')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('textbox', { name: 'Address for agents' })).toBeVisible()
  // What is typed is not taken away by a failure.
  await page.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Berlin')
  await page.route('**/api/v1/setting', (route) => route.fulfill({ status: 500, json: { error: 'disk is gone' } }))
  await changeSettings(page, { time_zone: '' }).catch(() => undefined)
  await expect(page.getByRole('textbox', { name: 'Time zone' })).toHaveValue('Europe/Berlin')
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeHidden()
})
