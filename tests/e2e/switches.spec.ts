import type { Page } from '@playwright/test'
import { serviceBody } from '../support/bodies.ts'
import { callApi } from './api.ts'
import { expect, test } from './console.ts'

/** A rule of its own, its switch, and what was sent to change it. */
async function setUp(page: Page, name: string) {
  const rule = {
    name,
    enable: true,
    rules: [{ type: 'disk', max: 99, duration: 10, cover: 0, ignore: {} }],
    trigger_mode: 1,
    notification_group_id: 0,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  }
  const id = (await callApi(page, 'POST', 'alert-rule', rule)) as number
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
  })
  await page.clock.install()
  await page.goto('/dashboard/alert-rule')
  const knob = page.getByRole('switch', { name: `Enable ${name}` })
  await expect(knob).toBeChecked()
  const stored = async () => {
    const rows = (await callApi(page, 'GET', 'alert-rule')) as { id: number; enable: boolean }[]
    return rows.find((row) => row.id === id)!.enable
  }
  return { knob, sent, stored }
}

test('P-22 a switch taken back in time sends nothing', async ({ signedIn: page }) => {
  const { knob, sent, stored } = await setUp(page, 'taken-back')
  await knob.click()
  await expect(knob).not.toBeChecked()
  await expect(page.getByText('Disable: taken-back')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await page.clock.fastForward(5000)
  await page.keyboard.press('z')
  await expect(knob).toBeChecked()
  await page.clock.fastForward(60_000)
  expect(sent).toEqual([])
  expect(await stored()).toBe(true)
})

test('P-22 a switch is sent 6 s later, by its key too', async ({ signedIn: page }) => {
  const { knob, sent, stored } = await setUp(page, 'later')
  await page.getByRole('row', { name: /later/ }).focus()
  await page.keyboard.press('_')
  await expect(knob).not.toBeChecked()
  expect(sent).toEqual([])
  await page.clock.fastForward(6100)
  await expect.poll(() => sent.length).toBe(1)
  await expect.poll(stored).toBe(false)
  await expect(knob).not.toBeChecked()
})

test('P-22 what waits is sent when the page is left', async ({ signedIn: page }) => {
  const { knob, stored } = await setUp(page, 'left')
  await knob.click()
  await expect(knob).not.toBeChecked()
  await page.goto('/')
  await expect.poll(stored).toBe(false)
})

test('what the server refuses is rolled back and said', async ({ signedIn: page }) => {
  const { knob } = await setUp(page, 'refused')
  await page.route('**/api/v1/alert-rule/*', (route) => route.fulfill({ json: { error: 'permission denied' } }))
  await knob.click()
  await expect(knob).not.toBeChecked()
  await page.clock.fastForward(6100)
  await expect(knob).toBeChecked()
  await expect(page.getByText('permission denied')).toBeVisible()
})

test('P-22, N-05 a service moved in its order is shown there at once, and taken back without a request', async ({
  signedIn: page,
}) => {
  const service = serviceBody({ type: 3, target: '127.0.0.1:9' })
  await callApi(page, 'POST', 'service', { ...service, name: 'move-a', display_index: 901 })
  await callApi(page, 'POST', 'service', { ...service, name: 'move-b', display_index: 900 })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url())
  })
  await page.clock.install()
  await page.goto('/dashboard/service')
  const names = () => page.getByRole('row').filter({ hasText: 'move-' }).allInnerTexts()
  const order = async () => (await names()).map((text) => /move-\w/.exec(text)?.[0])
  await expect.poll(order).toEqual(['move-a', 'move-b'])
  await page.getByRole('row', { name: /move-a/ }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(order).toEqual(['move-b', 'move-a'])
  await page.keyboard.press('z')
  await expect.poll(order).toEqual(['move-a', 'move-b'])
  await page.clock.fastForward(20_000)
  expect(sent).toEqual([])
})
