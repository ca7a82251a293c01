import { startReceiver } from '../support/peers/receiver.ts'
import { expect, test } from './console.ts'
import { signIn } from './seed.ts'

test('issue 14 DDNS: a profile is made, chosen in a server, updated by key; what failed is said per domain', async ({
  signedIn: page,
  product,
}) => {
  const receiver = await startReceiver()
  const browser = await signIn(product)
  try {
    await receiver.addGroup(browser)
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'DDNS', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'DDNS profiles', exact: true })).toBeVisible()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: /New DDNS profile/ })
    await form.getByRole('textbox', { name: 'Name' }).fill('e2e-home')
    await expect(form.getByRole('textbox', { name: 'Webhook URL' })).toBeHidden()
    await form.getByRole('button', { name: /Provider/ }).click()
    await page.getByRole('option', { name: 'Webhook', exact: true }).click()
    await form.getByRole('textbox', { name: 'Domains' }).fill('a@b.net')
    await page.keyboard.press('Control+Enter')
    await expect(form.getByText('Enter a domain such as home.example.net, not “a@b.net”').first()).toBeVisible()
    await form.getByRole('textbox', { name: 'Domains' }).fill('e2e.example.net')
    await form.getByRole('textbox', { name: 'Webhook URL' }).fill(`${receiver.origin}/set?name=#domain#&ip=#ip#`)
    await expect(form.getByText(/GET http:.*name=e2e\.example\.net&ip=/)).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()
    const row = page.getByRole('row', { name: /e2e-home/ })
    await expect(row).toContainText('never updated')

    const [server] = (await browser.api('GET', 'server')) as { id: number; name: string }[]
    const [profile] = ((await browser.api('GET', 'ddns')) as { id: number; name: string }[]).filter(
      ({ name }) => name === 'e2e-home',
    )
    await browser.api('PATCH', `server/${server!.id}`, { ...server, enable_ddns: true, ddns_profiles: [profile!.id] })
    await receiver.inbox.take(({ url }) => url.startsWith('/set?name=e2e.example.net'))
    await expect(row).toContainText('ok')

    receiver.answers = 500
    await row.focus()
    await page.keyboard.press('r')
    await expect(page.getByText(/e2e\.example\.net A \(.*\): webhook: answered 500/).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(row).toContainText('failing')
  } finally {
    const rows = ((await browser.api('GET', 'ddns')) ?? []) as { id: number; name: string }[]
    await browser.api(
      'POST',
      'batch-delete/ddns',
      rows.filter(({ name }) => name === 'e2e-home').map(({ id }) => id),
    )
    await receiver.close()
  }
})
