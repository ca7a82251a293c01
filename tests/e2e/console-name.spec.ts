import { callApi } from './api.ts'
import { expect, signInAt, test } from './console.ts'

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP console.example.net 127.0.0.1'],
    }),
})

test('issue 37.1 the first sign-in under a name asks whether it is the console’s, in one step', async ({
  page,
  product,
}) => {
  const { port } = new URL(product.url)
  await signInAt(page, `http://console.example.net:${port}`)
  const question = page.getByText('Is console.example.net the console’s address?')
  await expect(question).toBeVisible()
  const shown = (await callApi(page, 'GET', 'setting/doctor')) as { check: string; names: string[] }[]
  expect(shown.find(({ check }) => check === 'nameUnconfirmed')?.names).toEqual(['console.example.net'])
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(question).toHaveCount(0)
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(question).toHaveCount(0)
  const { config } = (await callApi(page, 'GET', 'setting')) as { config: Record<string, unknown> }
  expect(config).toMatchObject({
    dashboard_host: `console.example.net:${port}`,
    install_host: `console.example.net:${port}`,
  })
  const after = (await callApi(page, 'GET', 'setting/doctor')) as { check: string }[]
  expect(after.map(({ check }) => check)).not.toContain('nameUnconfirmed')
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(question).toHaveCount(0)
})
