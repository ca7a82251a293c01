import { connect, createServer, type Socket } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { createBrowser } from '../support/browser.ts'
import { english } from '../support/english.ts'
import { admin, expect } from './console.ts'

/** The terminal's lines as they are drawn. */
export const linesOf = (page: Page): Locator => page.locator('.xterm-rows')

/** The panel with the files of a server. */
export const filesOf = (page: Page): Locator =>
  page.getByRole('complementary', { name: english.t('ui.files.titleOf', { name: '' }) })

/** Types a command and Enter. */
export async function run(page: Page, command: string): Promise<void> {
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
}

/** The same after Ctrl+C, when a shell may lose what is typed before its prompt is back. */
export async function runAfterInterrupt(page: Page, command: string, shows: string): Promise<void> {
  await expect(async () => {
    await run(page, command)
    await expect(linesOf(page)).toContainText(shows, { timeout: 2000 })
  }).toPass()
}

/** Waits until keys go to the shell again, after something that lay over it. */
export async function backInShell(page: Page): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused()
}

/** Rows and columns as the heading tells them, in the order of `stty size`. */
export async function sizeOf(page: Page): Promise<string> {
  const text = await page.getByTitle('Columns and rows').innerText()
  const [cols, rows] = text.split(' × ')
  return `${rows} ${cols}`
}

/** The id of the server of this machine. */
export async function serverId(url: string): Promise<number> {
  const browser = createBrowser(url)
  await browser.login(admin.username, admin.password)
  let id = 0
  await expect
    .poll(async () => {
      const servers = (await browser.api('GET', 'server')) as { id: number; last_active: string | null }[]
      id = servers.find(({ last_active }) => last_active !== null && !last_active.startsWith('0001'))?.id ?? 0
      return id
    })
    .toBeGreaterThan(0)
  return id
}

/** Opens a terminal and waits for the first prompt. */
export async function openTerminal(page: Page, url: string): Promise<void> {
  await page.goto(`/dashboard/terminal/${await serverId(url)}`)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await expect(linesOf(page)).toContainText(/\S/)
}

/** Pastes as the browser does, without its clipboard. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)
}

/** A way to the server that can be cut: all its connections end without a word. */
export interface Cable {
  url: string
  cut(): void
  /** Cuts, and lets nothing through until it is plugged in again. */
  unplug(): void
  plugIn(): void
  close(): Promise<void>
}

/** Lays a cable to a server of this machine. */
export async function layCable(to: string): Promise<Cable> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  let isPlugged = true
  const server = createServer((near) => {
    if (!isPlugged) return near.resetAndDestroy()
    const far = connect(Number(new URL(to).port), '127.0.0.1')
    for (const socket of [near, far]) keep(socket)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    unplug() {
      isPlugged = false
      cut()
    },
    plugIn() {
      isPlugged = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
