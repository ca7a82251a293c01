import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './console.ts'
import { signIn } from './seed.ts'

test('issue 14 NAT: a profile is made, its target is looked for, and a visitor of its name sees the target', async ({
  signedIn: page,
  product,
}) => {
  const target = createServer((_asked, answer) => answer.end('behind the agent')).listen(0, '127.0.0.1')
  await new Promise((resolve) => target.once('listening', resolve))
  const { port } = target.address() as AddressInfo
  const browser = await signIn(product)
  try {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'NAT', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'NAT profiles', exact: true })).toBeVisible()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: /New NAT profile/ })
    await form.getByRole('textbox', { name: 'Name' }).fill('e2e-lab')
    await form.getByRole('textbox', { name: 'Domain' }).fill('LocalHost.')
    await form.getByRole('textbox', { name: 'Target' }).fill(`127.0.0.1:${port}`)
    const [server] = (await browser.api('GET', 'server')) as { id: number; name: string }[]
    await form.getByRole('combobox', { name: 'Server' }).fill(server!.name)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await expect(
      form.getByText('This name is reserved: it’s the console’s own name, localhost, or an IP address').first(),
    ).toBeVisible()
    await form.getByRole('textbox', { name: 'Domain' }).fill('e2e-lab.example.test')
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()
    const row = page.getByRole('row', { name: /e2e-lab/ })
    await expect(row).toContainText('reachable')

    const { port: own } = new URL(product.url)
    const body = await new Promise<string>((resolve, reject) => {
      const asked = request({ port: own, headers: { host: 'e2e-lab.example.test' } }, (answer) => {
        answer.setEncoding('utf8').on('data', resolve)
      })
      asked.on('error', reject).end()
    })
    expect(body).toBe('behind the agent')
    target.closeAllConnections()
    target.close()
    await row.focus()
    await page.keyboard.press('r')
    await expect(row).toContainText('unreachable')
  } finally {
    const rows = ((await browser.api('GET', 'nat')) ?? []) as { id: number; name: string }[]
    await browser.api(
      'POST',
      'batch-delete/nat',
      rows.filter(({ name }) => name === 'e2e-lab').map(({ id }) => id),
    )
    target.close()
  }
})
