import type { Page } from '@playwright/test'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { violations } from './axe.ts'
import { askForAll, expect, test } from './console.ts'
import { textTrouble } from './layout.ts'
import { backInShell, linesOf, openTerminal, paste, run, runAfterInterrupt, serverId, sizeOf } from './terminal-page.ts'

const secret = 'e2e-agent-secret-0123456789abcdef'
const uuid = '00000000-0000-4000-8000-00000000e2e2'
const absent = 'The server does not exist, or have not been connected yet.'

/** The ID of the simulated agent's server. */
const idOf = (page: Page): Promise<number> =>
  page.evaluate(async (uuid) => {
    const { data } = (await (await fetch('/api/v1/server')).json()) as { data: { id: number; uuid: string }[] }
    return data.find((server) => server.uuid === uuid)!.id
  }, uuid)

test('t on a row opens the terminal in a window of its own, and Escape after the end closes it', async ({
  signedIn: page,
  product,
}) => {
  await serverId(product.url)
  await page.goto('/dashboard')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('t')
  const terminal = await opened
  await expect(terminal.getByRole('heading', { name: /^Terminal \(\d+\)$/ })).toBeVisible()
  await expect(linesOf(terminal)).toContainText(/\S/)
  await run(terminal, 'exit')
  await expect(terminal.getByRole('alertdialog', { name: 'Session completed' })).toBeVisible()
  const closed = terminal.waitForEvent('close')
  // The window may be gone before the key is up.
  await terminal.keyboard.press('Escape').catch(() => undefined)
  await closed
})

test('W-12 a window that the browser does not close leads to the list', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'exit')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/dashboard\/?$/)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

test('W-07 the host writes to the clipboard only where it may, and then asks', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'printf \'\\033]52;c;aGkgdGhlcmU=\\007\'; echo "se"nt')
  await expect(linesOf(page)).toContainText('sent')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Allow clipboard requests/ }).click()
  await linesOf(page).click({ force: true })
  await run(page, "printf '\\033]52;c;aGkgdGhlcmU=\\007'")
  const question = page.getByRole('alertdialog', { name: /write to your clipboard/ })
  await expect(question.getByRole('textbox')).toHaveValue('hi there')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
})

test('W-08 a link is opened with Ctrl only, in a window without an opener', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  const url = `${product.url}/healthz`
  await run(page, `clear; printf '%s%s\\n' http ${url.slice(4)}`)
  const link = linesOf(page).getByText(url, { exact: true })
  await expect(link).toBeVisible()
  await link.hover({ force: true })
  await expect(page.getByText(`Ctrl+click opens ${url}`)).toBeVisible()
  const windows = page.context().pages().length
  // The terminal draws the line anew while the pointer is on it: the place stays, the element does not.
  await page.mouse.down()
  await page.mouse.up()
  expect(page.context().pages()).toHaveLength(windows)
  const opened = page.context().waitForEvent('page')
  await page.keyboard.down('Control')
  await page.mouse.down()
  await page.mouse.up()
  await page.keyboard.up('Control')
  const other = await opened
  expect(await other.evaluate(() => window.opener)).toBeNull()
  await other.close()
})

test('W-09 the scrollback is searched, with case and as an expression', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, "clear; printf 'Alpha%s alpha\\n' 1 2 3")
  await expect(linesOf(page)).toContainText('Alpha3')
  await page.keyboard.press('Control+Shift+f')
  const search = page.getByRole('search')
  await page.keyboard.type('Alpha')
  await expect(search.getByRole('status')).toHaveText(/of [6-9]/)
  await search.getByRole('button', { name: 'Match case' }).click()
  await expect(search.getByRole('status')).toHaveText(/of [34]/)
  await search.getByRole('button', { name: 'Regular expression' }).click()
  await search.getByRole('textbox').fill('Alpha[12')
  await expect(search.getByRole('status')).toHaveText('Invalid expression')
  await search.getByRole('textbox').fill('Alpha[12] ')
  await expect(search.getByRole('status')).toHaveText(/of 2/)
  await search.getByRole('textbox').press('Escape')
  await expect(search).toBeHidden()
  await backInShell(page)
  await run(page, 'echo "focus" "back"')
  await expect(linesOf(page)).toContainText('focus back')
})

test('W-13 leaving asks while the shell lives, and not after its end', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await run(page, 'exit')
  await expect(page.getByRole('alertdialog', { name: 'Session completed' })).toBeVisible()
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
})

test('W-14 a server without a connection: the text of the specification, last seen, and a shell when it is back', async ({
  signedIn: page,
  product,
}) => {
  const port = Number(new URL(product.url).port)
  const agent = await startSimulatedAgent({ port, secret, uuid })
  await page.goto('/dashboard')
  await expect(page.getByText('of 2')).toBeVisible()
  const id = await idOf(page)
  await agent.close()
  await page.goto(`/dashboard/terminal/${id}`)
  await expect(page.getByText(absent)).toBeVisible()
  await expect(page.getByText(/Last seen \d\d:\d\d/)).toBeVisible()
  const again = await startSimulatedAgent({ port, secret, uuid })
  try {
    await expect(page.getByText(absent)).toBeHidden()
    await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  } finally {
    await again.close()
  }
  await expect(page.getByText('The agent disconnected, and the shell ended with it.')).toBeVisible()
  await page.goto('/dashboard/terminal/999999')
  await expect(page.getByText(absent)).toBeVisible()
  await expect(page.getByText('Last seen')).toBeHidden()
})

test('W-14 a server that is back before the window hears that it was away has a shell', async ({
  signedIn: page,
  product,
}) => {
  const port = Number(new URL(product.url).port)
  const agent = await startSimulatedAgent({ port, secret, uuid })
  await page.goto('/dashboard')
  await expect(page.getByText('of 2')).toBeVisible()
  const id = await idOf(page)
  // The list is from before, and the feed tells nothing until the agent is back.
  const before = await (await page.request.get('/api/v1/server')).body()
  await askForAll(page)
  await page.route(/api\/v1\/server(\?|$)/, (route) => route.fulfill({ body: before, contentType: 'application/json' }))
  let hear: () => void = () => {}
  const heard = new Promise<void>((resolve) => (hear = resolve))
  await page.routeWebSocket(/ws\/server/, (socket) => void heard.then(() => socket.connectToServer()))
  await agent.close()
  await page.goto(`/dashboard/terminal/${id}`)
  await expect(page.getByText(absent)).toBeVisible()
  const again = await startSimulatedAgent({ port, secret, uuid })
  try {
    hear()
    await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  } finally {
    await again.close()
  }
})

test('a shell over the limit: the window says why, and its button opens one when there is room again', async ({
  signedIn: page,
  product,
}) => {
  const id = await serverId(product.url)
  const error = 'too many concurrent streams for this user'
  await page.route('**/api/v1/terminal', (route) => route.fulfill({ json: { success: false, error } }))
  await page.goto(`/dashboard/terminal/${id}`)
  const notice = page.getByRole('status').filter({ hasText: 'Couldn’t open a shell' })
  await expect(notice).toContainText(
    'Too many shells and file managers are open for you or on this server · Close some',
  )
  await page.unroute('**/api/v1/terminal')
  await notice.getByRole('button').click()
  await expect(notice).toBeHidden()
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await expect(linesOf(page)).toContainText(/\S/)
})

test('W-15 the palette opens by its second key only', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+Shift+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  await page.keyboard.press('Escape')
  await backInShell(page)
  await run(page, 'echo "still" "here"')
  await expect(linesOf(page)).toContainText('still here')
  await page.keyboard.press('Control+Shift+x')
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 400, height: 800 } })
  test('W-17 the key bar: Ctrl holds for one key', async ({ signedIn: page, product }) => {
    await openTerminal(page, product.url)
    await run(page, 'sleep 100; echo "was"  "it"')
    const ctrl = page.getByRole('button', { name: 'Ctrl', exact: true })
    await ctrl.tap()
    await expect(ctrl).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.type('c')
    await expect(ctrl).toHaveAttribute('aria-pressed', 'false')
    await runAfterInterrupt(page, 'echo "not" "asleep"', 'not asleep')
  })

  test('a keyboard brings the hints to the list, not to the terminal, which needs the height', async ({
    signedIn: page,
    product,
  }) => {
    const hints = page.getByRole('contentinfo', { name: 'Keyboard shortcuts on this page' })
    await expect(page.getByRole('button', { name: 'Install agent' })).toBeVisible()
    await page.keyboard.press('Shift')
    await expect(hints).toBeVisible()
    await openTerminal(page, product.url)
    await run(page, 'echo "typed" "here"')
    await expect(linesOf(page)).toContainText('typed here')
    await expect(hints).toBeHidden()
  })
})

test('W-18 text size by keys, and it stays', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  const before = await sizeOf(page)
  await page.keyboard.press('Control+=')
  await expect.poll(() => sizeOf(page)).not.toBe(before)
  const larger = await sizeOf(page)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect.poll(() => sizeOf(page)).toBe(larger)
  await page.keyboard.press('Control+0')
  await expect.poll(() => sizeOf(page)).toBe(before)
})

test('no script, style or request of a terminal is against the content security policy', async ({
  signedIn: page,
  product,
}) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await openTerminal(page, product.url)
  await run(page, "printf '\\033[38;2;200;100;0mtrue\\033[30;40mdark\\033[0m colours\\n'")
  await expect(linesOf(page)).toContainText('colours')
  expect(refused).toEqual([])
})

test.describe('looks', () => {
  test.setTimeout(120_000)
  for (const { theme, width } of [
    { theme: 'light', width: 400 },
    { theme: 'dark', width: 1280 },
  ] as const)
    test(`W-18 axe finds nothing and no text is cut, ${theme}, ${width} px`, async ({ signedIn: page, product }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await openTerminal(page, product.url)
      await run(
        page,
        "printf '\\033[31mred \\033[32mgreen \\033[33myellow \\033[34mblue \\033[37mwhite \\033[30mblack\\033[0m\\n'",
      )
      await expect(linesOf(page)).toContainText('black')
      expect(await violations(page), 'shell').toEqual([])
      expect(await textTrouble(page.getByRole('banner'))).toEqual([])
      await page.keyboard.press('Control+Shift+f')
      await page.keyboard.type('red')
      await expect(page.getByRole('search')).toBeVisible()
      expect(await violations(page), 'search').toEqual([])
      await page.keyboard.press('Escape')
      await backInShell(page)
      await run(page, 'printf "\\033[?2004lwai""ting\\n"; cat; echo "cat is" over')
      await expect(linesOf(page)).toContainText('waiting')
      await paste(page, 'one\ntwo\n')
      await expect(page.getByRole('alertdialog')).toBeVisible()
      expect(await violations(page), 'paste').toEqual([])
      await page.keyboard.press('Escape')
      await backInShell(page)
      await page.keyboard.press('Control+d')
      await expect(linesOf(page)).toContainText('cat is over')
      await run(page, 'exit')
      await expect(page.getByRole('alertdialog', { name: 'Session completed' })).toBeVisible()
      expect(await violations(page), 'end').toEqual([])
      await page.goto('/dashboard/terminal/999999')
      await expect(page.getByText('The server does not exist')).toBeVisible()
      expect(await violations(page), 'not connected').toEqual([])
    })
})
