import { startReceiver } from '../support/peers/receiver.ts'
import { expect, test } from './console.ts'
import { signIn } from './seed.ts'

test('a notifier: placeholders picked by key, shown as it would be sent, tried, stored hidden, replaced', async ({
  signedIn: page,
  product,
}) => {
  const receiver = await startReceiver()
  try {
    await receiver.addGroup(await signIn(product))
    await page.goto('/dashboard/notification')
    await expect(page.getByRole('row', { name: /hook/ }).first()).toBeVisible()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: /New notifier/ })
    await form.getByRole('textbox', { name: 'Name' }).fill('chat')
    await form.getByRole('textbox', { name: 'URL' }).fill(`${receiver.origin}/chat`)
    await form.getByRole('button', { name: /Request method/ }).click()
    await page.getByRole('option', { name: 'POST', exact: true }).click()
    const body = form.getByRole('textbox', { name: 'Body' })
    await body.fill('{"text":""}')
    await body.press('Home')
    for (let step = 0; step < 9; step += 1) await body.press('ArrowRight')
    await body.press('Control+Space')
    await page.getByRole('combobox', { name: 'Search placeholders' }).fill('the message')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(body).toHaveValue('{"text":"#NEZHA#"}')
    await expect(body).toBeFocused()
    await expect(form.getByText(/"text":".*CPU is at 96%"/)).toBeVisible()
    await expect(form.getByText(/^Valid JSON, \d+ B$/)).toBeVisible()

    await page.keyboard.press('Alt+t')
    await expect(form.getByText(/127\.0\.0\.1:\d+ responded with 200 in/)).toBeVisible()
    const sent = await receiver.inbox.take(({ url }) => url === '/chat')
    expect(JSON.parse(sent.body)).toHaveProperty('text')
    receiver.answers = 404
    await page.keyboard.press('Alt+t')
    await expect(form.getByRole('alert').filter({ hasText: '404' })).toBeVisible()
    receiver.answers = 200
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()

    await page.getByRole('row', { name: /chat/ }).click()
    const edit = page.getByRole('dialog', { name: /Edit notifier/ })
    await expect(edit.getByText('stored, hidden').first()).toBeVisible()
    await expect(edit.getByRole('textbox', { name: 'Body' })).toBeHidden()
    const url = edit.getByRole('group', { name: /URL/ })
    await expect(url.getByRole('button', { name: 'Clear' })).toHaveAttribute('aria-disabled', 'true')
    // Issue 12.9: what is stored can be read again, without what is secret in it.
    await expect(edit.getByLabel('Stored body')).toHaveText('{"text":"#NEZHA#"}')
    const stored = edit.getByRole('group', { name: /Body/ })
    await stored.getByRole('button', { name: 'Clear' }).click()
    await expect(stored.getByText('will be cleared on save')).toBeVisible()
    await stored.getByRole('button', { name: 'Keep current' }).click()
    await stored.getByRole('button', { name: 'Replace' }).click()
    await edit.getByRole('textbox', { name: 'Body' }).fill('{"text":')
    await expect(edit.getByText(/^Invalid JSON/)).toBeVisible()
    await edit.getByRole('button', { name: 'Keep current' }).click()
    await expect(edit.getByRole('textbox', { name: 'Body' })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(edit).toBeHidden()
  } finally {
    await receiver.close()
  }
})

test('a notifier says who uses it; [ and ] lead to what stands beside', async ({ signedIn: page, product }) => {
  const receiver = await startReceiver()
  try {
    const browser = await signIn(product)
    const id = await browser.api('POST', 'notification', {
      name: 'used one',
      url: receiver.origin,
      request_method: 1,
      request_type: 1,
      skip_check: true,
    })
    await browser.api('POST', 'notification-group', { name: 'night shift', notifications: [id] })
    await page.goto('/dashboard/notification')
    await page.getByRole('row', { name: /used one/ }).click()
    await expect(page.getByRole('dialog').getByText('night shift')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press(']')
    await expect(page).toHaveURL(/\/dashboard\/alert-rule/)
    await page.keyboard.press('[')
    await expect(page).toHaveURL(/\/dashboard\/notification$/)
    await expect(page.getByRole('row', { name: /used one/ })).toBeVisible()
    await page.keyboard.press('[')
    await expect(page).toHaveURL(/\/dashboard\/maintenance-window/)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Notification')).toHaveAttribute(
      'aria-current',
      'page',
    )
  } finally {
    await receiver.close()
  }
})
