import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, test } from './console.ts'
import { filesOf, serverId } from './terminal-page.ts'

const MiB = 1024 ** 2
/** Enough to be written by the browser's thread while it comes; `QD_LARGE=2048` takes the 2 GiB of W-25, some minutes on a slow disk. */
const size = Number(process.env['QD_LARGE'] ?? 160) * MiB + 5

async function sha256(file: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

/** A file that takes no room: marks far apart, and nothing between. */
function makeLarge(file: string) {
  const open = openSync(file, 'w')
  ftruncateSync(open, size)
  for (const at of [0, 100 * MiB - 3, size - 5]) writeSync(open, `${at}`.padStart(5, '-').slice(-5), at)
  closeSync(open)
}

test('W-25, W-26: a large file comes down and goes up by stream, with the same checksum', async ({
  signedIn,
  product,
  playwright,
  launchOptions,
}) => {
  test.slow()
  const folder = mkdtempSync(join(tmpdir(), 'qd-large-'))
  const there = join(folder, 'there')
  mkdirSync(there)
  makeLarge(join(there, 'large.bin'))
  // Playwright's own windows are private ones: what they store is in memory.
  const context = await playwright.chromium.launchPersistentContext(join(folder, 'profile'), launchOptions)
  try {
    await context.addCookies(await signedIn.context().cookies())
    const page = await context.newPage()
    const id = await serverId(product.url)
    await page.goto(`${product.url}/dashboard/terminal/${id}?path=${encodeURIComponent(there)}`)
    const panel = filesOf(page)
    await expect(panel.getByRole('row')).toHaveCount(1)
    await expect(panel.getByRole('grid')).toBeFocused()
    const downloading = page.waitForEvent('download', { timeout: 120_000 })
    await page.keyboard.press('d')
    const download = await downloading
    const saved = join(folder, 'saved.bin')
    await download.saveAs(saved)
    const sum = await sha256(join(there, 'large.bin'))
    expect(await sha256(saved)).toBe(sum)

    rmSync(join(there, 'large.bin'))
    // Playwright tells the browser of it beside what follows: asked just before the key, the key may be first.
    const choosing = page.waitForEvent('filechooser')
    // While it still comes, Escape is about the panel.
    await expect(panel.getByRole('heading', { name: 'Transfers', exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('u')
    await (await choosing).setFiles(saved)
    await expect(panel.getByText(`SHA-256 ${sum}`)).toBeVisible({ timeout: 120_000 })
    expect(await sha256(join(there, 'saved.bin'))).toBe(sum)
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
