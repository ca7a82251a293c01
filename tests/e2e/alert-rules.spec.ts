import type { Page } from '@playwright/test'
import { startReceiver } from '../support/peers/receiver.ts'
import { callApi, changeSettings } from './api.ts'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'
import { looks } from './layout.ts'

async function openNew(page: Page) {
  await page.goto('/dashboard/alert-rule')
  await expect(page.getByRole('heading', { name: 'Alert rules', exact: true })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'Create Alert Rules' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expect(form.getByRole('group', { name: 'Condition 1' })).toBeVisible()
  return form
}

test('N-06 a rule is built as a sentence with the keyboard alone, and read in the list', async ({ signedIn: page }) => {
  const form = await openNew(page)
  await page.keyboard.type('mem-tight')
  await form.getByRole('button', { name: 'Condition 1: metric' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('memory')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('textbox', { name: 'Condition 1: upper limit' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('101')
  await page.keyboard.press('Tab')
  await expect(form.getByText('Enter a percentage above 0, up to 100')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('92')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2 min')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('textbox', { name: 'Condition 1: duration' })).toHaveValue('120')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('group', { name: 'Condition 2' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  const row = page.getByRole('row', { name: /mem-tight/ })
  await expect(row).toContainText('memory above 92% for 2 min and CPU above 90% for 30 s')
  await expect(row.getByRole('switch', { name: 'Enable mem-tight' })).toBeChecked()
})

test('the JSON beside the sentence says the same; what cannot be read stays where it is', async ({
  signedIn: page,
}) => {
  const form = await openNew(page)
  await page.keyboard.type('from-json')
  await form.getByText('JSON', { exact: true }).click()
  const json = form.getByRole('textbox', { name: 'When' })
  await expect(json).toHaveValue(/"type": "cpu"/)
  await json.fill('[{"type": "load5", "max": 6, "duration": 20, "cover": 0, "ignore": {}')
  await form.getByText('Builder', { exact: true }).click()
  await expect(json).toBeFocused()
  await expect(json).toHaveAccessibleDescription('Invalid JSON string')
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeVisible()
  await expect(json).toHaveValue(/load5/)
  await json.press('Control+End')
  await page.keyboard.type('}]')
  await form.getByText('Builder', { exact: true }).click()
  await expect(form.getByRole('textbox', { name: 'Condition 1: upper limit' })).toHaveValue('6')
  await expect(form.getByRole('textbox', { name: 'Condition 1: duration' })).toHaveValue('60')
  await form.getByRole('textbox', { name: 'Condition 1: upper limit' }).fill('7.5')
  await form.getByText('JSON', { exact: true }).click()
  await expect(json).toHaveValue(/"max": 7\.5/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
})

test('issue 10.2 a damaged condition ends nothing: it stays as typed, and where it is damaged is said', async ({
  signedIn: page,
}) => {
  const form = await openNew(page)
  await page.keyboard.type('damaged')
  await form.getByText('JSON', { exact: true }).click()
  const json = form.getByRole('textbox', { name: 'When' })
  for (const [text, problem] of [
    ['[{"cover": 0}]', '1.type: Required'],
    ['[{"type": "cpu", "cover": 0, "max": {}}]', '1.max: Invalid value'],
    ['[{"type": "heat", "cover": 0, "duration": 3}]', /^Condition 1: unknown type “heat”; available: cpu/],
  ] as const) {
    await json.fill(text)
    await page.keyboard.press('Control+Enter')
    await expect(json).toHaveAccessibleDescription(problem)
    await expect(json).toHaveValue(text)
  }
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('damaged')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
})

test('D10 the back-test stands beside the form and follows what is typed', async ({ signedIn: page }) => {
  const form = await openNew(page)
  const test = form.getByRole('heading', { name: 'Backtest, last hour' })
  await expect(test).toBeVisible()
  await expect(form.getByText(/^Would have fired on \d+ servers?/)).toBeVisible()
  const asked = page.waitForRequest(
    (request) => request.url().endsWith('/alert-rule/backtest') && /"max":55/.test(request.postData() ?? ''),
  )
  await form.getByRole('textbox', { name: 'Condition 1: upper limit' }).fill('55')
  await asked
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
})

test('Q5 a cycle is said with its unit; servers are left out by name', async ({ signedIn: page }) => {
  const form = await openNew(page)
  await page.keyboard.type('month-transfer')
  await form.getByRole('button', { name: 'Condition 1: metric' }).click()
  await page.getByRole('option', { name: 'in + out', exact: true }).click()
  await form.getByRole('textbox', { name: 'Condition 1: upper limit' }).fill('20 TiB')
  await expect(form.getByRole('button', { name: 'Condition 1: cycle unit' })).toContainText('month')
  const created = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/alert-rule'),
  )
  await page.keyboard.press('Control+Enter')
  const { rules } = (await created).postDataJSON() as { rules: readonly Record<string, unknown>[] }
  expect(rules).toEqual([
    {
      type: 'transfer_all_cycle',
      max: 20 * 1024 ** 4,
      cycle_start: expect.stringMatching(/^\d{4}-\d\d-/),
      cycle_interval: 1,
      cycle_unit: 'month',
      cover: 0,
      ignore: {},
    },
  ])
  await expect(form).toBeHidden()
  await expect(page.getByRole('row', { name: /month-transfer/ })).toContainText('All servers')
})

test('rules are copied as JSON, ticked off for a moment', async ({ signedIn: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const rules = [{ type: 'disk', max: 90, duration: 10, cover: 0, ignore: {} }]
  const rule = { name: 'copied', enable: true, rules, trigger_mode: 1, notification_group_id: 0 }
  await callApi(page, 'POST', 'alert-rule', { ...rule, fail_trigger_tasks: [], recover_trigger_tasks: [] })
  await page.goto('/dashboard/alert-rule')
  await page
    .getByRole('row', { name: /copied/ })
    .getByRole('button', { name: 'Copy rules as JSON' })
    .click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"type":"disk"')
})

for (const { theme, width } of looks)
  test(`axe finds nothing on alert rules, ${theme}, ${width} px`, async ({ signedIn: page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const form = await openNew(page)
    await page.setViewportSize({ width, height: 800 })
    await form.getByRole('button', { name: 'Add condition' }).click()
    await expect(form.getByText(/^Would have fired/)).toBeVisible()
    // While it is asked anew, what stands there is paler.
    await expect(form.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await form.getByText('JSON', { exact: true }).click()
    expect(await violations(page)).toEqual([])
  })

test('issue 12, friction: a first alert is one way: rule, group, notifier, test; each picker makes what is missing and has it chosen', async ({
  signedIn: page,
}) => {
  const receiver = await startReceiver()
  try {
    await changeSettings(page, { outbound_allowlist: [new URL(receiver.origin).host] })
    const rule = await openNew(page)
    await page.keyboard.type('first alert')
    const picker = rule.getByRole('combobox', { name: 'Notification group' })
    await picker.fill('people on call')
    await page.getByRole('option', { name: 'New notification group…' }).click()
    const group = page.getByRole('dialog', { name: 'New notification group' })
    await expect(group.getByRole('textbox', { name: 'Name' })).toHaveValue('people on call')
    // Escape leads back, and what was typed is still there.
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect(group).toBeHidden()
    await expect(picker).toBeFocused()
    await expect(picker).toHaveValue('people on call')
    await expect(rule.getByRole('textbox', { name: 'Name' })).toHaveValue('first alert')

    await picker.press('ArrowDown')
    await page.getByRole('option', { name: 'New notification group…' }).click()
    await group.getByRole('combobox', { name: 'Notifiers' }).press('ArrowDown')
    await page.getByRole('option', { name: 'New notifier…' }).click()
    const notifier = page.getByRole('dialog', { name: 'New notifier' })
    await expect(notifier.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.type('my phone')
    await notifier.getByRole('textbox', { name: 'URL' }).fill(`${receiver.origin}/phone`)
    await page.keyboard.press('Alt+t')
    await expect(notifier.getByText(/127\.0\.0\.1:\d+ responded with 200 in/)).toBeVisible()
    await receiver.inbox.take(({ url }) => url === '/phone')
    await page.keyboard.press('Control+Enter')
    await expect(notifier).toBeHidden()
    await expect(group.getByText('my phone', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(group).toBeHidden()
    await expect(rule.getByText('people on call', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(rule).toBeHidden()
    await expect(page.getByRole('row', { name: /first alert/ })).toContainText('people on call')
  } finally {
    await receiver.close()
  }
})
