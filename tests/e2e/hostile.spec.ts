import type { Page } from '@playwright/test'
import { type Browser, createBrowser } from '../support/browser.ts'
import { admin, expect, test } from './console.ts'
import { openTerminal, run as runInShell } from './terminal-page.ts'

/** One element and one script that would leave a mark, and what would forge a screen: escape, bell, turned direction. */
const hostile = (field: string) => `${field}<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`
const turned = '\u001b[31m\u202egnp'
const turnedShown = '\\x1b[31m\\u{202e}gnp'

interface Item {
  id: number
}

let api: Browser
let run: number
/** What the other files find as it was. */
const restore: [method: string, path: string, body: object][] = []
test.beforeAll(async ({ product }) => {
  api = createBrowser(product.url)
  await api.login(admin.username, admin.password)
  const servers = async () => ((await api.api('GET', 'server')) ?? []) as Item[]
  await expect.poll(async () => (await servers()).length).toBe(1)
  const [server] = (await servers()) as [Item]
  const setting = ((await api.api('GET', 'setting')) as { config: object }).config
  restore.push(['PATCH', `server/${server.id}`, server], ['PATCH', 'setting', setting])
  await api.api('PATCH', `server/${server.id}`, {
    ...server,
    name: hostile('sname') + turned,
    note: hostile('note'),
    public_note: hostile('public'),
  })
  const group = await api.api('POST', 'server-group', { name: hostile('group') + turned, servers: [server.id] })
  const command = `echo '${hostile('output')}'; printf '\\033]0;owned\\007'; exit 3`
  const task = { name: hostile('task') + turned, task_type: 1, command, cover: 0, servers: [server.id] }
  const cron = (await api.api('POST', 'cron', task)) as number
  run = ((await api.api('POST', `cron/${cron}/manual`)) as { run_id: number }).run_id
  await expect
    .poll(async () => ((await api.api('GET', `run/${run}`)) as { finished_at: unknown }).finished_at)
    .not.toBeNull()
  restore.push(['POST', 'batch-delete/server-group', [group]], ['POST', 'batch-delete/cron', [cron]])
  await api.api('PATCH', 'setting', { ...setting, site_name: hostile('site') })
})
test.afterAll(async () => {
  for (const [method, path, body] of restore) await api.api(method, path, body)
})

/** Nothing was made of any text, and none of it can turn what stands beside it. */
async function isInert(page: Page) {
  const found = await page.evaluate(() => {
    const raw = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/
    return {
      pwned: 'pwned' in window,
      images: document.querySelectorAll('img[src="x"]').length,
      scripts: [...document.scripts].filter((script) => script.textContent.includes('pwned')).length,
      raw: [...document.querySelectorAll('body *')]
        .filter((element) => [...element.childNodes].some((node) => node instanceof Text && raw.test(node.data)))
        .map((element) => `${element.closest('[class]')?.className}: ${element.textContent}`),
    }
  })
  expect(found).toEqual({ pwned: false, images: 0, scripts: 0, raw: [] })
}

const shows = (page: Page, text: string) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()

test('S-23, S-40: script and control characters in every text field are shown as they are, on every page', async ({
  signedIn: page,
  product,
}) => {
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    void dialog.dismiss()
  })
  const errors: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text())
  })
  await test.step('lists and the page title', async () => {
    for (const [path, field] of [
      ['/dashboard', 'sname'],
      ['/dashboard/server-group', 'group'],
      ['/dashboard/cron', 'task'],
      ['/dashboard/run', 'task'],
    ] as const) {
      await page.goto(path)
      await shows(page, hostile(field) + turnedShown)
      await isInert(page)
      await expect.poll(() => page.title()).toContain(hostile('site'))
    }
  })
  await test.step('the detail of a server', async () => {
    await page.goto('/dashboard')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    await shows(page, hostile('note'))
    await isInert(page)
  })
  await test.step('the form of a task', async () => {
    await page.goto('/dashboard/cron')
    await page
      .getByRole('row')
      .filter({ hasText: hostile('task') })
      .focus()
    await page.keyboard.press('e')
    await expect(page.getByRole('textbox', { name: 'Command' })).toHaveValue(/onerror/)
    await isInert(page)
  })
  await test.step('output of a run', async () => {
    await page.goto(`/dashboard/run/${run}`)
    await shows(page, hostile('output'))
    await isInert(page)
  })
  await test.step('the palette, with the name and with the typed query', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('task<img')
    await expect(
      page
        .getByRole('option')
        .filter({ hasText: hostile('task') })
        .first(),
    ).toBeVisible()
    await isInert(page)
    await page.keyboard.type(' src=x onerror=alert(1)> zzzz')
    await isInert(page)
    await page.keyboard.press('Escape')
  })
  await test.step('the confirm, and the error text of a server', async () => {
    await page.goto('/dashboard/server-group')
    await page.route('**/batch-delete/**', (route) =>
      route.fulfill({ json: { success: false, error: hostile('error') + turned } }),
    )
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('alertdialog')).toContainText(hostile('group'))
    await isInert(page)
    await page.keyboard.press('Control+Enter')
    await shows(page, hostile('error'))
    await isInert(page)
  })
  await test.step('a toast that names what was made', async () => {
    await page.keyboard.press('c')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(hostile('made'))
    await page.keyboard.press('Control+Enter')
    await shows(page, hostile('made'))
    await isInert(page)
  })
  await test.step('a terminal window, whose host sets a title', async () => {
    await openTerminal(page, product.url)
    await shows(page, hostile('sname') + turnedShown)
    await runInShell(page, "printf '\\033]0;owned\\007'; exit")
    await expect(page.getByRole('alertdialog', { name: 'Session completed' })).toBeVisible()
    await isInert(page)
    expect(await page.title()).toContain(hostile('sname') + turnedShown)
  })
  await test.step('the public page', async () => {
    await page.goto('/')
    await shows(page, hostile('group') + turnedShown)
    await expect(page.locator('[title*="sname<img"], [aria-label*="sname<img"]').first()).toBeAttached()
    await isInert(page)
    expect(await page.title()).toContain(hostile('site'))
  })
  expect({ dialogs, errors }).toEqual({ dialogs: 0, errors: [] })
})
