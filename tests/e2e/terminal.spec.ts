import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBrowser } from '../support/browser.ts'
import { admin, expect, signInAt, test } from './console.ts'
import {
  backInShell,
  layCable,
  linesOf,
  openTerminal,
  paste,
  run,
  runAfterInterrupt,
  serverId,
  sizeOf,
} from './terminal-page.ts'

test('W-01 the shell knows the size of the page at its first prompt', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'echo "size $(stty size)."')
  await expect(linesOf(page)).toContainText(`size ${await sizeOf(page)}.`)
})

test('W-02 the shell follows the window', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  const before = await sizeOf(page)
  await page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(() => sizeOf(page)).not.toBe(before)
  const after = await sizeOf(page)
  await expect(async () => {
    await run(page, 'clear; echo "size $(stty size)."')
    await expect(linesOf(page)).toContainText(`size ${after}.`, { timeout: 1000 })
  }).toPass()
})

test('W-02 vim draws itself anew after a resize', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'vim -u NONE -i NONE -N --cmd "set laststatus=2 statusline=%{&columns}x%{&lines}=" /dev/null')
  const fill = async () => {
    const [rows, cols] = (await sizeOf(page)).split(' ')
    return `${cols}x${rows}=`
  }
  await expect(linesOf(page)).toContainText(await fill())
  const before = await sizeOf(page)
  await page.setViewportSize({ width: 1000, height: 600 })
  await expect.poll(() => sizeOf(page)).not.toBe(before)
  await expect(linesOf(page)).toContainText(await fill())
  await run(page, ':q!')
})

test('W-15 Ctrl+C, Ctrl+K, Ctrl+W, Ctrl+R and Ctrl+P reach the shell, and so do single letters', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  await run(page, "stty raw -echo; printf 're''ady'; dd bs=1 count=8 2>/dev/null | od -An -tx1; stty sane")
  await expect(linesOf(page)).toContainText('ready')
  for (const key of ['Control+c', 'Control+k', 'Control+w', 'Control+r', 'Control+p', '?', 'g', 's'])
    await page.keyboard.press(key)
  await expect(linesOf(page)).toContainText('03 0b 17 12 10 3f 67 73')
  await expect(page).toHaveURL(/\/terminal\//)
})

test('W-04 a flood is stopped by Ctrl+C', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'yes flood')
  await expect(linesOf(page)).toContainText('flood\nflood', { useInnerText: true })
  await page.keyboard.press('Control+c')
  await runAfterInterrupt(page, 'clear; echo over "and out"', 'over and out')
  await expect(linesOf(page)).not.toContainText('flood')
})

test('W-05 several lines ask first where the shell would run them at once', async ({ signedIn: page, product }) => {
  await openTerminal(page, product.url)
  await run(page, 'printf "\\033[?2004lwai""ting\\n"; cat')
  await expect(linesOf(page)).toContainText('waiting')
  await paste(page, 'first line\r\nsecond line\r\n')
  const question = page.getByRole('alertdialog', { name: 'Paste 2 lines?' })
  await expect(question.getByRole('textbox')).toHaveValue('first line\nsecond line\n')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await backInShell(page)
  await expect(linesOf(page)).not.toContainText('first line')
  await paste(page, 'third line\r\nfourth line\r\n')
  await expect(question).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(question).toBeHidden()
  await backInShell(page)
  await expect(linesOf(page)).toContainText('fourth line')
  await paste(page, 'x'.repeat(512 * 1024 + 1))
  await expect(page.getByText('Not pasted')).toBeVisible()
  await expect(linesOf(page)).not.toContainText('xxxx')
})

test('W-11 a connection that was cut is taken up with the same shell and what it said meanwhile', async ({
  page,
  product,
}) => {
  const cable = await layCable(product.url)
  try {
    await signInAt(page, cable.url)
    await page.goto(`${cable.url}/dashboard/terminal/${await serverId(product.url)}`)
    await expect(linesOf(page)).toContainText(/\S/)
    const go = join(product.data, 'go')
    await run(page, `kept=yes; (until [ -e ${go} ]; do sleep .1; done; echo "said mean""while") &`)
    await run(page, 'echo "wai""ting"')
    await expect(linesOf(page)).toContainText('waiting')
    cable.cut()
    await expect(page.getByText('Connection lost')).toBeVisible()
    // The spec's toast, besides the strip that says when the next try comes.
    await expect(page.getByRole('alertdialog', { name: 'Websocket Error' })).toBeVisible()
    writeFileSync(go, '')
    await expect(linesOf(page)).toContainText(/connection lost .*, reattached to the same shell/)
    await expect(linesOf(page)).toContainText('said meanwhile')
    await run(page, 'echo "is it $kept?"')
    await expect(linesOf(page)).toContainText('is it yes?')
    await run(page, 'exit')
    await expect(page.getByRole('alertdialog', { name: 'Session completed' })).toBeVisible()
  } finally {
    await cable.close()
  }
})

test('W-12 the end of the shell: the dialog of the specification, Enter for another shell, the divider', async ({
  signedIn: page,
  product,
}) => {
  await openTerminal(page, product.url)
  await run(page, 'exit')
  const dialog = page.getByRole('alertdialog', { name: 'Session completed' })
  await expect(dialog).toContainText('You may close this window now.')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await backInShell(page)
  await expect(linesOf(page)).toContainText(/session ended .*, new shell/)
  await run(page, 'echo "here" "again"')
  await expect(linesOf(page)).toContainText('here again')
})

test('a closed page leaves nothing behind: its shell is gone and its stream does not count', async ({
  signedIn: page,
  product,
}) => {
  const id = await serverId(product.url)
  await openTerminal(page, product.url)
  await run(page, 'echo "pid=$$;"')
  await expect(linesOf(page)).toContainText(/pid=\d+;/)
  const pid = /pid=(\d+);/.exec(await linesOf(page).innerText())![1]!
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  await page.close()
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)

  const caller = createBrowser(product.url)
  await caller.login(admin.username, admin.password)
  const open = () => caller.send('POST', '/api/v1/terminal', { body: { server_id: id } })
  // Twenty may be open at a time: what was left behind would take the place of one.
  const answers: unknown[] = []
  for (let count = 0; count < 21; count++) answers.push((await open()).body)
  expect(answers.filter((answer) => JSON.stringify(answer).includes('"success":true'))).toHaveLength(20)
  expect(answers[20]).toMatchObject({ error: 'too many concurrent streams for this user' })
})
