import type { Page } from '@playwright/test'
import Driver from 'better-sqlite3'
import { callApi } from './api.ts'
import { admin, expect, type Product, testOn } from './console.ts'
import { signIn } from './seed.ts'

/** A member with the administrator's password, and a run of the administrator with output. */
const test = testOn((database) => {
  const db = new Driver(database)
  const user = db.prepare('select * from users where id = 1').get() as Record<string, unknown>
  const member = { ...user, id: 2, username: 'alice', role: 1, agent_secret: 'another-agent-secret-0123456789ab' }
  const columns = Object.keys(member)
  db.prepare(`insert into users (${columns.join()}) values (${columns.map((name) => `@${name}`).join()})`).run(member)
  const counts = JSON.stringify({ waiting: 0, sent: 0, running: 0, success: 1, failure: 0, no_answer: 0 })
  db.prepare(
    `insert into runs (id, owner_id, created_at, updated_at, kind, cron_id, name, command, started_by, finished_at, state, counts)
     values (1, 1, ?, ?, 'exec', 0, 'a command', 'id', 'admin', ?, 'success', ?)`,
  ).run(Date.now(), Date.now(), Date.now(), counts)
  db.prepare(
    `insert into run_items (run_id, server_id, server_name, state, exit_code, started_at, finished_at, duration_ms, output, cut_bytes, lines)
     values (1, 1, 'web-1', 'success', 0, ?, ?, 5, 'output of the administrator', 0, 1)`,
  ).run(Date.now(), Date.now())
  db.close()
})

let count = 0

/** A rule of its own on the page of rules, and whether the server has its switch on. */
async function setUp(page: Page, product: Product) {
  count += 1
  const name = `leaving-${count}`
  const id = (await callApi(page, 'POST', 'alert-rule', {
    name,
    enable: true,
    rules: [{ type: 'disk', max: 99, duration: 10, cover: 0, ignore: {} }],
    trigger_mode: 1,
    notification_group_id: 0,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })) as number
  const other = await signIn(product)
  const stored = async () => {
    const rows = (await other.api('GET', 'alert-rule')) as { id: number; enable: boolean; name: string }[]
    return rows.find((row) => row.id === id)!
  }
  await page.goto('/dashboard/alert-rule')
  const knob = page.getByRole('switch', { name: `Enable ${name}` })
  await expect(knob).toBeChecked()
  return { id, name, knob, other, stored, isOn: async () => (await stored()).enable }
}

async function logIn(page: Page, username: string) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
}

test('issue 10.3: a switch turned off just before Logout is sent', async ({ signedIn: page, product }) => {
  const { knob, isOn } = await setUp(page, product)
  await knob.click()
  await page.getByRole('button', { name: /^Account: admin/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await isOn()).toBe(false)
})

test('issue 10.3: the same by the menu of a phone', async ({ signedIn: page, product }) => {
  const { knob, isOn } = await setUp(page, product)
  await page.setViewportSize({ width: 400, height: 800 })
  await knob.click()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await isOn()).toBe(false)
})

test('issue 10.3: it is sent when the page is loaded again, and when its tab is closed', async ({
  signedIn: page,
  product,
  context,
}) => {
  const first = await setUp(page, product)
  await first.knob.click()
  await expect(first.knob).not.toBeChecked()
  await page.reload()
  await expect.poll(first.isOn).toBe(false)
  const second = await setUp(page, product)
  await second.knob.click()
  await expect(second.knob).not.toBeChecked()
  await context.newPage()
  await page.close({ runBeforeUnload: true })
  await expect.poll(second.isOn).toBe(false)
})

test('issue 10.3: what waits in one tab is sent when the other one signs out, and both are signed out', async ({
  signedIn: page,
  product,
  context,
}) => {
  const other = await context.newPage()
  await other.goto('/dashboard')
  const { knob, isOn } = await setUp(page, product)
  await knob.click()
  await expect(knob).not.toBeChecked()
  // A slow line: reading the rule and saving it take longer than the way to Logout.
  await page.route('**/api/v1/alert-rule/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await other.bringToFront()
  await other.getByRole('button', { name: /^Account: admin/ }).click()
  await other.getByRole('menuitem', { name: 'Logout' }).click()
  await expect.poll(isOn).toBe(false)
  await expect(page).toHaveURL(/\/login$/)
})

test('issue 10.3: nothing is sent in the name of another who signs in, and that is said', async ({
  signedIn: page,
  product,
}) => {
  await page.clock.install()
  const { knob, isOn, name } = await setUp(page, product)
  await knob.click()
  await page.context().clearCookies({ name: 'nz-jwt' })
  await page.clock.fastForward(6100)
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Username' }).fill('alice')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alertdialog', { name: /sign in/i })).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeHidden()
  expect(await isOn()).toBe(true)
})

test('issue 10.3: the same person signs in again, and it is sent', async ({ signedIn: page, product }) => {
  await page.clock.install()
  const { knob, isOn } = await setUp(page, product)
  await knob.click()
  await page.context().clearCookies({ name: 'nz-jwt' })
  await page.clock.fastForward(6100)
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect.poll(isOn).toBe(false)
})

test('issue 10.16: what somebody else changes in these 6 s is kept, and said', async ({ signedIn: page, product }) => {
  await page.clock.install()
  const { id, knob, other, stored } = await setUp(page, product)
  await knob.click()
  await expect(knob).not.toBeChecked()
  const theirs = { ...(await stored()), name: 'renamed by somebody else' }
  await other.api('PATCH', `alert-rule/${id}`, theirs)
  await page.clock.fastForward(6100)
  await expect(page.getByRole('alertdialog', { name: /Someone else changed this record/ })).toBeVisible()
  expect(await stored()).toMatchObject({ name: 'renamed by somebody else', enable: true })
  await expect(page.getByRole('switch', { name: 'Enable renamed by somebody else' })).toBeChecked()
})

test('issue 10.16: who is quick is in no conflict with oneself', async ({ signedIn: page, product }) => {
  const { knob, name, stored } = await setUp(page, product)
  // A click means what is shown: each is shown before the next.
  for (const isOn of [false, true, false]) {
    await knob.click()
    await expect(knob).toBeChecked({ checked: isOn })
  }
  await page.getByRole('row', { name: new RegExp(name) }).focus()
  await page.keyboard.press('e')
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill(`${name} renamed`)
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  expect(await stored()).toMatchObject({ name: `${name} renamed`, enable: false })
})

test('issue 10.10: a tab forgets the output of runs with the person who saw it', async ({ signedIn: page }) => {
  await page.goto('/dashboard/run/1')
  const output = page.getByText('output of the administrator').last()
  await expect(output).toBeVisible()
  await page.getByRole('button', { name: /^Account: admin/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await logIn(page, 'alice')
  await expect(page.getByRole('button', { name: /^Account: alice/ })).toBeVisible()
  // A step inside of the page, as Back makes it: a load would empty everything.
  await page.evaluate(() => {
    history.pushState(null, '', '/dashboard/run/1')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('heading', { name: /Error Fetching Resource/ })).toBeVisible()
  await expect(output).toBeHidden()
})
