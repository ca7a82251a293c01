import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedIn, startBrowser } from './browser.ts'
import type { Product } from './product.ts'
import { atMost, type Row, spread } from './row.ts'

const entries = 50_000
const frames = 180

/** Figures of a folder of 50,000 files in the file manager of the web console: from Enter to its rows, and frames while it is scrolled. The first server's agent has to be there. */
export async function folderRows(product: Product): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-folder-'))
  const many = join(folder, 'many')
  mkdirSync(many)
  for (let index = 0; index < entries; index += 1) writeFileSync(join(many, `web-${index}.log`), '')
  const browser = await startBrowser()
  try {
    const page = await signedIn(product, browser)
    const opened: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await page.goto(`${product.origin}/dashboard/terminal/1?path=${encodeURIComponent(folder)}`)
      const list = page.locator('[data-files] [role=grid]')
      await list.locator('[data-name=many]').waitFor()
      await list.focus()
      const started = performance.now()
      await page.keyboard.press('Enter')
      await page.locator(`[data-files] [aria-rowcount="${entries}"] [data-name="web-3.log"]`).waitFor()
      opened.push(performance.now() - started)
    }
    const times = await page.evaluate(
      (count) =>
        new Promise<number[]>((resolve) => {
          const grid = document.querySelector('[data-files] [role=grid]')!
          const taken: number[] = []
          let before: number | undefined
          // The time of the frame itself: when its script begins is early in one frame and late in the next.
          const draw = (now: number) => {
            if (before !== undefined) taken.push(now - before)
            before = now
            grid.scrollTop += 240
            if (taken.length < count) requestAnimationFrame(draw)
            else resolve(taken)
          }
          requestAnimationFrame(draw)
        }),
      frames,
    )
    return [
      atMost({
        what: 'folder of 50,000: from Enter to its rows, median of 3',
        limit: 1000,
        figure: spread(opened).p50,
        unit: 'ms',
        digits: 0,
      }),
      atMost({
        what: 'the same: frame while it is scrolled, p95 (60 per second)',
        limit: 17,
        figure: spread(times).p95,
        unit: 'ms',
      }),
    ]
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
