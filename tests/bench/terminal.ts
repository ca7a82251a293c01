import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { signedIn as newPage, startBrowser } from './browser.ts'
import { type Product, root, secret, startProduct } from './product.ts'
import { atLeast, atMost, type Row, spread } from './row.ts'

const floodMs = 10_000

/** Figures of a terminal window in Chromium, with the real server and the real agent of this machine. */
export async function terminalRows(): Promise<Row[]> {
  const product = await startProduct()
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-agent-'))
  const agent = startRealAgent({
    program: join(root, 'apps/agent/dist/main.js'),
    port: product.port,
    secret,
    uuid: '00000000-0000-4000-8000-0000000be4c8',
    folder,
  })
  const browser = await startBrowser()
  try {
    const page = await signedIn(product, browser)
    const opened: number[] = []
    for (let round = 0; round < 5; round++) opened.push(await open(page, product))
    const echoes = await keyEchoes(page)
    const flood = await floodOf(page)
    return [
      atMost({ what: 'open to first output', limit: 150, figure: spread(opened).p50, unit: 'ms', digits: 0 }),
      atMost({ what: 'key until it is drawn, p95', limit: 50, figure: spread(echoes).p95, unit: 'ms', digits: 0 }),
      atLeast({ what: '`yes` for 10 s: frames', limit: 30, figure: flood.framesPerSecond, unit: '/s', digits: 0 }),
      atMost({ what: '`yes` for 10 s: heap', limit: 100, figure: flood.heapMib, unit: 'MiB', digits: 0 }),
      atMost({
        what: '`yes` for 10 s: Ctrl+C until the prompt',
        limit: 1000,
        figure: flood.stopMs,
        unit: 'ms',
        digits: 0,
      }),
    ]
  } finally {
    await browser.close()
    await agent.stop()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function signedIn(product: Product, browser: Browser): Promise<Page> {
  const page = await newPage(product, browser)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${product.origin}/dashboard/`)
  await page.getByRole('row').nth(1).waitFor()
  return page
}

/** From the call that makes the session to the first character on the screen, in ms. */
async function open(page: Page, { origin }: Product): Promise<number> {
  await page.goto(`${origin}/dashboard/terminal/1`, { waitUntil: 'commit' })
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const call = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/api/v1/terminal'))
          if (call && document.querySelector('.xterm-rows')?.textContent?.trim())
            resolve(performance.now() - call.startTime)
          else setTimeout(look, 2)
        }
        look()
      }),
  )
}

/** Where a page keeps what it measures until it is asked for. */
interface Measuring {
  measured: Promise<number>
}

/** From key presses to their characters on the screen, in ms. */
async function keyEchoes(page: Page): Promise<number[]> {
  await page.locator('[data-terminal]').click()
  const times: number[] = []
  for (let count = 1; count <= 20; count++) {
    await page.evaluate(() => {
      const rows = document.querySelector('.xterm-rows')!
      const before = rows.textContent
      const measured = new Promise<number>((resolve) => {
        const begin = () => {
          const started = performance.now()
          const look = () =>
            rows.textContent === before ? requestAnimationFrame(look) : resolve(performance.now() - started)
          look()
        }
        addEventListener('keydown', begin, { once: true, capture: true })
      })
      Object.assign(window, { measured })
    })
    await page.keyboard.press('x')
    times.push(await page.evaluate(() => (window as unknown as Measuring).measured))
  }
  await page.keyboard.press('Control+u')
  return times
}

async function floodOf(page: Page): Promise<{ framesPerSecond: number; heapMib: number; stopMs: number }> {
  await page.keyboard.type('yes')
  await page.keyboard.press('Enter')
  const frames = await page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        const until = performance.now() + ms
        let count = 0
        const frame = () => {
          count += 1
          if (performance.now() < until) requestAnimationFrame(frame)
          else resolve(count)
        }
        frame()
      }),
    floodMs,
  )
  const session = await page.context().newCDPSession(page)
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await page.evaluate(() => {
    const measured = new Promise<number>((resolve) => {
      const begin = () => {
        const started = performance.now()
        const look = () => {
          const lines = [...document.querySelectorAll('.xterm-rows > div')].map((line) => line.textContent?.trim())
          const last = lines.filter(Boolean).at(-1)
          if (last === 'y') setTimeout(look, 5)
          else resolve(performance.now() - started)
        }
        setTimeout(look, 5)
      }
      addEventListener('keydown', (event) => event.key === 'c' && begin(), { capture: true })
    })
    Object.assign(window, { measured })
  })
  await page.keyboard.press('Control+c')
  const stopMs = await page.evaluate(() => (window as unknown as Measuring).measured)
  return { framesPerSecond: frames / (floodMs / 1000), heapMib: usedSize / 1024 / 1024, stopMs }
}
