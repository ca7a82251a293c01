import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'

test('P-20, P-21: deleting names what goes, Cancel has the focus, the palette stays away, Mod+Enter goes on', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/server-group')
  await expect(page.getByRole('heading', { name: 'Server groups' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New server group' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('doomed')
  await page.keyboard.press('Control+Enter')
  const row = page.getByRole('row', { name: /doomed/ })
  await row.focus()
  await page.keyboard.press('Delete')
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Deletion?' })
  await expect(confirm.getByText('This operation cannot be undone!')).toBeVisible()
  await expect(confirm.getByText('doomed')).toBeVisible()
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(confirm).toBeHidden()
  await expect(row).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(confirm).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(row).toBeHidden()
})

test('issue 12.14: a long list in a question scrolls by keys; Run now shows what it will run', async ({
  signedIn: page,
}) => {
  for (let index = 0; index < 60; index++) {
    await callApi(page, 'POST', 'server-group', { name: `pile-${String(index).padStart(2, '0')}`, servers: [] })
  }
  await page.goto('/dashboard/server-group?q=pile')
  await expect(page.getByRole('row', { name: /pile-00/ })).toBeVisible()
  await page.getByRole('row', { name: /pile-00/ }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Deletion?' })
  const list = confirm.getByRole('list').first()
  await expect(list).toBeVisible()
  const last = list.getByRole('listitem').last()
  await expect(last).not.toBeInViewport({ ratio: 1 })
  // The list stands before the buttons, the first of which has the focus.
  await page.keyboard.press('Shift+Tab')
  while (!(await list.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('End')
  await expect(last).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(confirm).toBeHidden()

  await callApi(page, 'POST', 'cron', {
    ...{ name: 'shown before', command: 'uptime | cut -c1-20', task_type: 1, scheduler: '' },
    ...{ cover: 1, servers: [], push_successful: false, notification_group_id: 0 },
  })
  await page.goto('/dashboard/cron')
  await page.getByRole('row', { name: /shown before/ }).focus()
  await page.keyboard.press('r')
  await expect(page.getByRole('alertdialog').getByText('uptime | cut -c1-20')).toBeVisible()
  await page.keyboard.press('Escape')
})
