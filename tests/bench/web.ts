import { type Browser, chromium, type Page } from '@playwright/test'
import { type Product, password, startProduct } from './product.ts'
import { atMost, type Row, spread } from './row.ts'

const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run', '--disable-gpu']

/** Figures of the web console in Chromium: first load, first row, and the list of 1,000 servers. */
export async function webRows(): Promise<Row[]> {
  const product = await startProduct()
  const browser = await chromium.launch({ executablePath: process.env['QD_CHROMIUM'] ?? '/usr/bin/chromium', args })
  try {
    await product.agents(1000, 3000)
    return [...(await firstLoad(product, browser)), ...(await longList(product, browser))]
  } finally {
    await browser.close()
    await product.close()
  }
}

async function signedIn(product: Product, browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const answer = await context.request.post(`${product.origin}/api/v1/login`, { data: { username: 'admin', password } })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`)
  return context.newPage()
}

/** Opens the list and waits for its first row. Answers the time in ms and the bytes that came over the wire. */
async function open(product: Product, page: Page): Promise<{ ms: number; scripts: number; all: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const scripts = new Set<string>()
  let scriptBytes = 0
  let allBytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    allBytes += encodedDataLength
    if (scripts.has(requestId)) scriptBytes += encodedDataLength
  })
  const started = performance.now()
  await page.goto(`${product.origin}/dashboard/`, { waitUntil: 'commit' })
  await page.getByRole('row').nth(1).waitFor()
  return { ms: performance.now() - started, scripts: scriptBytes, all: allBytes }
}

async function firstLoad(product: Product, browser: Browser): Promise<Row[]> {
  const cold: number[] = []
  const slow: number[] = []
  let bytes = { scripts: 0, all: 0 }
  for (let round = 0; round < 5; round++) {
    const page = await signedIn(product, browser)
    const { ms, ...sizes } = await open(product, page)
    cold.push(ms)
    bytes = sizes
    await page.context().close()
    const slowPage = await signedIn(product, browser)
    const session = await slowPage.context().newCDPSession(slowPage)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    slow.push((await open(product, slowPage)).ms)
    await slowPage.context().close()
  }
  return [
    atMost({
      what: 'first load: JavaScript until the first row, as sent',
      limit: 250,
      figure: bytes.scripts / 1000,
      unit: 'KB',
      digits: 0,
    }),
    atMost({
      what: 'first load: all bytes until the first row, with a list of 1,000',
      limit: 340,
      figure: bytes.all / 1000,
      unit: 'KB',
      digits: 0,
    }),
    atMost({ what: 'first row, cold', limit: 350, figure: spread(cold).p50, unit: 'ms', digits: 0 }),
    atMost({ what: 'first row at 4x slower CPU', limit: 850, figure: spread(slow).p50, unit: 'ms', digits: 0 }),
  ]
}

/** Runs in the page: ms from an event to the second frame after it, so that layout and paint are in. */
async function keyToPaint(page: Page, keys: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const key of keys) {
    const painted = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          addEventListener(
            'keydown',
            () => {
              const started = performance.now()
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
            },
            { once: true, capture: true },
          )
        }),
    )
    await page.keyboard.press(key)
    times.push(await painted)
  }
  return times
}

async function longList(product: Product, browser: Browser): Promise<Row[]> {
  const page = await signedIn(product, browser)
  const { ms } = await open(product, page)
  await page.keyboard.press('j')
  const marks = await keyToPaint(
    page,
    Array.from({ length: 10 }, () => 'x'),
  )
  const moves = await keyToPaint(
    page,
    Array.from({ length: 20 }, () => 'j'),
  )
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const openPalette = await paletteOpens(page)
  const typing = await keyToPaint(page, [...'server 12'])
  await page.context().close()
  return [
    atMost({ what: 'list of 1,000: ready', limit: 500, figure: ms, unit: 'ms', digits: 0 }),
    atMost({ what: 'list of 1,000: mark one row, p95', limit: 50, figure: spread(marks).p95, unit: 'ms', digits: 0 }),
    atMost({ what: 'list of 1,000: move by key, p95', limit: 50, figure: spread(moves).p95, unit: 'ms', digits: 0 }),
    atMost({ what: 'list of 1,000: DOM elements', limit: 2000, figure: elements, unit: '', digits: 0 }),
    atMost({ what: 'list of 1,000: heap', limit: 40, figure: usedSize / 1024 / 1024, unit: 'MiB', digits: 0 }),
    atMost({ what: 'palette: open with 1,000 servers', limit: 100, figure: openPalette, unit: 'ms', digits: 0 }),
    atMost({ what: 'palette: each key, p95', limit: 50, figure: spread(typing).p95, unit: 'ms', digits: 0 }),
  ]
}

/** The second opening: the first one fetches the palette's code when the page was not idle yet. */
async function paletteOpens(page: Page): Promise<number> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('combobox').waitFor({ state: 'detached' })
  const started = performance.now()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  return performance.now() - started
}
