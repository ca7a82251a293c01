import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'
import { filesOf, serverId } from './terminal-page.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('W-19 to W-30: a log is found, followed and fetched by keys alone; files go up with a question about taken names; a text is edited in place', async ({
  signedIn: page,
  product,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-files-'))
  const big = randomBytes(5 * 1024 * 1024 + 17)
  mkdirSync(join(folder, 'logs'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'logs', 'web-10.log'), big)
  writeFileSync(join(folder, 'logs', 'web-2.log'), 'first line\nlast line\n')
  writeFileSync(join(folder, 'logs', '<img src=x onerror=alert(1)>.txt'), 'inert')
  const id = await serverId(product.url)
  await page.goto(`/dashboard/terminal/${id}?path=${encodeURIComponent(folder)}`)
  const panel = filesOf(page)
  const list = panel.getByRole('grid')
  await expect(list).toBeFocused()
  await expect(panel.getByRole('row')).toHaveCount(2)

  // W-23, W-24: two letters and Enter lead into a folder; names stand as people count.
  await page.keyboard.press('f')
  await page.keyboard.type('lox')
  await expect(panel.getByText('No names match “lox”')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('row')).toHaveCount(3)
  await expect(panel.getByRole('row').last()).toContainText('web-10.log')
  await expect(page).toHaveURL(/logs$/)
  await expect(list).toBeFocused()

  // A look at the end of a text, which is followed.
  await page.keyboard.press('/')
  await page.keyboard.type('web-2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await expect(panel.getByText('last line')).toBeVisible()
  await page.keyboard.press('Shift+F')
  writeFileSync(join(folder, 'logs', 'web-2.log'), 'first line\nlast line\none more\n')
  await expect(panel.getByText('one more')).toBeVisible()
  expect(await violations(page, '[data-files]')).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('row')).toHaveCount(3)

  // W-24: the path of a file, typed as a name, leads to that file.
  await page.keyboard.press('f')
  await page.keyboard.type(join(folder, 'logs', 'web-2.log'))
  await expect(panel.getByText(/^Press Enter to go to .*web-2\.log$/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(list).toHaveAttribute('aria-activedescendant', 'file-1')
  await expect(page.locator('#file-1')).toContainText('web-2.log')
  await expect(list).toBeFocused()

  // A look at what has no text is left by the same key.
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(panel.getByText('No preview for this type of file')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeFocused()

  // W-25: what is fetched is what is there.
  await page.keyboard.press('End')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('d')
  const fetched = await (await downloading).path()
  expect(sha256(readFileSync(fetched))).toBe(sha256(big))

  // W-26, W-27: two files, one of which is there already.
  const other = randomBytes(3 * 1024 * 1024)
  await panel.locator('input[type=file]').setInputFiles([
    { name: 'web-10.log', mimeType: 'text/plain', buffer: other },
    { name: 'new ünïcode.bin', mimeType: 'application/octet-stream', buffer: big },
  ])
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep both' }).click()
  await expect(panel.getByText('SHA-256')).toHaveCount(2)
  expect(sha256(readFileSync(join(folder, 'logs', 'web-10 (2).log')))).toBe(sha256(other))
  expect(sha256(readFileSync(join(folder, 'logs', 'new ünïcode.bin')))).toBe(sha256(big))
  expect(sha256(readFileSync(join(folder, 'logs', 'web-10.log')))).toBe(sha256(big))
  await expect(panel.getByRole('row')).toHaveCount(5)
  expect(await violations(page, '[data-files]')).toEqual([])

  // A text is edited, and what somebody else wrote meanwhile is not lost.
  await page.keyboard.press('f')
  await page.keyboard.type('web-2')
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  const editor = panel.getByRole('textbox', { name: 'File contents' })
  await expect(editor).toBeFocused()
  await editor.fill('mine\n')
  writeFileSync(join(folder, 'logs', 'web-2.log'), 'theirs\n')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText('The file changed on the server while you were editing.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => readdirSync(join(folder, 'logs'))).toContain('web-2 (2).log')
  await expect.poll(() => readFileSync(join(folder, 'logs', 'web-2 (2).log'), 'utf8')).toBe('mine\n')
  expect(readFileSync(join(folder, 'logs', 'web-2.log'), 'utf8')).toBe('theirs\n')

  // W-19: what cannot be read is said. P-11: `/` in the palette finds in the folder.
  await expect(list).toBeFocused()
  await page.keyboard.press('g')
  await page.getByRole('textbox', { name: 'Path' }).fill('../assets')
  await page.keyboard.press('Enter')
  await expect(panel.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(panel.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('/lo')
  await page.getByRole('option', { name: /logs/ }).click()
  await expect(panel.getByRole('row').first()).toContainText('<img src=x')
  await page.keyboard.press('g')
  await page.getByRole('textbox', { name: 'Path' }).fill('/no/such/folder')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(panel.getByText('Couldn’t read /no/such/folder.')).toBeVisible()
  rmSync(folder, { recursive: true, force: true })
})

test('W-26, W-30: a dropped file goes up, a pasted path leads there, a folder comes down as one file; leaving a running transfer is asked', async ({
  signedIn: page,
  product,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-files-'))
  mkdirSync(join(folder, 'logs', 'old'), { recursive: true })
  writeFileSync(join(folder, 'logs', 'a.log'), 'first of all')
  writeFileSync(join(folder, 'logs', 'old', 'b.log'), 'second of all')
  const id = await serverId(product.url)
  await page.goto(`/dashboard/terminal/${id}?path=/`)
  const panel = filesOf(page)
  const list = panel.getByRole('grid')
  await expect(list).toBeFocused()
  await list.evaluate((element, path) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', `${path}\n`)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, folder)
  await expect(panel.getByRole('row')).toHaveCount(1)

  await list.evaluate((element) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['from here'], 'dropped.txt'))
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(panel.getByText('SHA-256')).toBeVisible()
  expect(readFileSync(join(folder, 'dropped.txt'), 'utf8')).toBe('from here')

  await expect(list).toBeFocused()
  await page.keyboard.press('Home')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('d')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('logs.zip')
  // Its parts are not compressed.
  const archive = readFileSync(await download.path(), 'latin1')
  for (const text of ['logs/old/b.log', 'first of all', 'second of all']) expect(archive).toContain(text)
  await page.keyboard.press('Escape')

  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Name' }).fill('made')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('row', { name: /made/ })).toBeVisible()
  await expect(list).toBeFocused()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Name' }).fill('other')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('row', { name: /other/ })).toBeVisible()
  await expect(list).toBeFocused()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(panel.getByRole('row', { name: /other/ })).toHaveCount(0)
  expect(existsSync(join(folder, 'other'))).toBe(false)

  // So large that it still runs when the panel is closed.
  writeFileSync(join(folder, 'large.bin'), '')
  truncateSync(join(folder, 'large.bin'), 20 * 1024 ** 3)
  await page.keyboard.press('Shift+R')
  await expect(panel.getByRole('row', { name: /large/ })).toBeVisible()
  await expect(list).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('d')
  await expect(panel.getByRole('progressbar')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep open' }).click()
  await expect(panel.getByRole('progressbar')).toBeVisible()
  let isAsked = false
  page.once('dialog', (dialog) => {
    isAsked = dialog.type() === 'beforeunload'
    void dialog.dismiss()
  })
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => isAsked).toBe(true)
  await panel.getByRole('button', { name: 'Cancel' }).click()
  // Until the transfer has ended, Escape asks whether to leave it.
  await expect(panel.getByText('canceled')).toBeVisible()
  await expect(list).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  rmSync(folder, { recursive: true, force: true })
})

test('W-31: an address that is followed while a shell is open brings the folder, and another one later', async ({
  signedIn: page,
  product,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-follow-'))
  mkdirSync(join(folder, 'inner'))
  const id = await serverId(product.url)
  await page.goto(`/dashboard/terminal/${id}`)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  /** As a link inside the console does. */
  const follow = (path: string) =>
    page.evaluate(
      (address) => {
        history.pushState({ idx: 1, key: address }, '', address)
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
      },
      `/dashboard/terminal/${id}?path=${encodeURIComponent(path)}`,
    )
  await follow(folder)
  const panel = filesOf(page)
  await expect(panel.getByRole('row', { name: 'inner' })).toBeVisible()
  await follow(join(folder, 'inner'))
  await expect(panel.getByText('This folder is empty')).toBeVisible()
  rmSync(folder, { recursive: true, force: true })
})
