import type { Browser, Page } from '@playwright/test'
import { startBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { atLeast, atMost, type Row, spread } from './row.ts'
import { keyToPaint, signedIn } from './web.ts'

const hosts = 300
/** What opening the list left behind, such as memory to collect and code to compile, isn’t what showing it costs. */
const settleMs = 20_000
const shownMs = 20_000
const scrollMs = 5_000
const ms = { unit: 'ms', digits: 0 }
const wait = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs))

/** Figures of lists whose records live on hosts: 200 units of each of 300 hosts, whose agents are ours and report as often as existing ones. */
export async function hostRows(): Promise<Row[]> {
  const product = await startProduct()
  const browser = await startBrowser()
  try {
    await product.agents(hosts, 3000)
    return await unitRows(product, browser)
  } finally {
    await browser.close()
    await product.close()
  }
}

async function unitRows(product: Product, browser: Browser): Promise<Row[]> {
  const page = await signedIn(product, browser)
  // The code of the page is there, as for a person who uses the console.
  await page.goto(`${product.origin}/dashboard/unit?on=none`)
  await page.waitForLoadState('networkidle')
  const { first, all } = await opened(product, page)
  await wait(settleMs)
  const cpu = await shareOfCore(product, shownMs)
  await page.keyboard.press('/')
  const keys = await keyToPaint(page, [...'unit-123'])
  await page.waitForFunction((count) => document.querySelectorAll('[role=row]').length <= count, hosts + 1)
  for (let n = 0; n < 8; n += 1) await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  const frames = await scrolled(page)
  return [
    atMost({ ...ms, what: '200 units of each of 300 hosts: first rows', limit: 1000, figure: first }),
    atMost({ ...ms, what: 'the same: all 60,000', limit: 3000, figure: all }),
    atMost({ what: 'the same: CPU of a core of the server while shown', limit: 5, figure: cpu, unit: '%' }),
    atMost({ ...ms, what: 'the same: a key of the filter, p95', limit: 50, figure: spread(keys).p95 }),
    atLeast({ what: 'the same: frames while scrolling', limit: 55, figure: frames, unit: '/s', digits: 0 }),
  ]
}

/** Ms from the request of the list until its first rows stand, and until every host has answered. */
async function opened(product: Product, page: Page): Promise<{ first: number; all: number }> {
  await page.goto(`${product.origin}/dashboard/unit?on=`, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.querySelectorAll('[role=row]').length > 1)
  const first = await page.evaluate(() => performance.now())
  await page.waitForFunction((count) => document.body.innerText.includes(`${count} of ${count} hosts`), hosts)
  return { first, all: await page.evaluate(() => performance.now()) }
}

async function shareOfCore(product: Product, forMs: number): Promise<number> {
  const before = product.usage().cpuSeconds
  await wait(forMs)
  return ((product.usage().cpuSeconds - before) / (forMs / 1000)) * 100
}

/** Frames per second while the list goes by, 100 px a frame. */
const scrolled = (page: Page): Promise<number> =>
  page.evaluate(
    (forMs) =>
      new Promise<number>((resolve) => {
        const grid = document.querySelector('[role=grid]')!
        const started = performance.now()
        let frames = 0
        const step = () => {
          frames += 1
          grid.scrollTop += 100
          if (performance.now() - started < forMs) requestAnimationFrame(step)
          else resolve((frames / (performance.now() - started)) * 1000)
        }
        requestAnimationFrame(step)
      }),
    scrollMs,
  )
