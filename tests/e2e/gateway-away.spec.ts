import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../support/program.ts'
import { expect, signInAt, test } from './console.ts'
import { filesOf, layCable, linesOf, run, serverId } from './terminal-page.ts'

const root = process.env.QD_BUILT ?? fileURLToPath(new URL('../..', import.meta.url))
/** Enough not to be over before the cable is out. */
const size = 256 * 1024 ** 2

test('issue 16: a dashboard goes and comes back behind the gateway: the shell goes on, the folder is read, the upload only wants a press', async ({
  page,
  product,
}) => {
  test.slow()
  const cable = await layCable(product.url)
  const main = join(root, 'apps/server/dist/main.js')
  const gateway = startProgram(['--upstream', cable.url, '--port', '0'], {}, { main })
  try {
    const url = await gateway.ready()
    const there = join(product.data, 'there')
    mkdirSync(there)
    const here = join(product.data, 'large.bin')
    // It takes no room but for its two ends.
    writeFileSync(here, 'mark')
    truncateSync(here, size - 4)
    appendFileSync(here, 'mark')
    await signInAt(page, url)
    await page.goto(`${url}/dashboard/terminal/${await serverId(product.url)}?path=${encodeURIComponent(there)}`)
    await expect(linesOf(page)).toContainText(/\S/)
    await run(page, 'kept=yes')
    const panel = filesOf(page)
    await expect(panel).toContainText('This folder is empty')

    await panel.locator('input[type=file]').setInputFiles(here)
    // A part of it is there already.
    await expect(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/)
    cable.unplug()
    await expect(page.getByText('Connection lost')).toBeVisible()
    const trouble = panel.getByText('Can’t reach')
    await expect(trouble).toContainText('The server closed the connection')
    await expect(trouble).not.toContainText(/mean https:|may have gone through/)
    await expect(panel.getByText('The file on the server is incomplete')).toBeVisible()

    cable.plugIn()
    await expect(linesOf(page)).toContainText(/reattached to the same shell/)
    await expect(page.getByRole('alertdialog', { name: 'Websocket Error' })).toBeHidden()
    await expect(trouble).toBeHidden()
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(panel.getByRole('row', { name: /large\.bin.*256/ })).toBeVisible({ timeout: 60_000 })
    await expect(panel.getByText('The file on the server is incomplete')).toBeHidden()
    expect(readFileSync(join(there, 'large.bin')).equals(readFileSync(here))).toBe(true)
  } finally {
    gateway.child.kill('SIGTERM')
    await gateway.ended
    await cable.close()
  }
})
