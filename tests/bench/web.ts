import type { Browser, Page } from '@playwright/test'
import { signedIn as newPage, startBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, spread } from './row.ts'

/** Figures of the web console in Chromium: first load, first row, and the list of 1,000 servers. */
export async function webRows(): Promise<Row[]> {
  const product = await startProduct()
  const browser = await startBrowser()
  try {
    const first = await frameRows(product, browser)
    await product.agents(1000, 3000)
    return [...first, ...(await firstLoad(product, browser)), ...(await longList(product, browser))]
  } finally {
    await browser.close()
    await product.close()
  }
}

/** A page that knows its times. */
export async function signedIn(product: Product, browser: Browser): Promise<Page> {
  const page = await newPage(product, browser)
  await page.context().addInitScript(watchTimes)
  return page
}

/** Runs in the page before the console does, whose own listener lets no other see a key: ms from each key to the frame after it, and to the first row of a list; how far things moved by themselves. */
function watchTimes() {
  const times: number[] = []
  const moved: number[] = []
  Object.assign(globalThis, { keyTimes: times, moved })
  new PerformanceObserver((list) => {
    type Shift = { value: number; sources: readonly { node: Node | null }[] }
    for (const { value, sources } of list.getEntries() as unknown as Shift[]) {
      // A live figure that gets another digit moves in its own cell and nothing else.
      const isFigure = ({ node }: Shift['sources'][number]) => node?.parentElement?.closest('[role=gridcell]')
      if (!sources.every(isFigure)) moved.push(value)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver((_changes, observer) => {
    if (document.querySelectorAll('[role=row]').length < 2) return
    observer.disconnect()
    Object.assign(globalThis, { firstRowMs: performance.now() })
  }).observe(document, { childList: true, subtree: true })
  addEventListener(
    'keydown',
    () => {
      const started = performance.now()
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - started)))
    },
    { capture: true },
  )
}

/** Opens the list. Returns the ms until its first row stood, and the bytes that had come over the wire by then. */
async function open(product: Product, page: Page): Promise<{ ms: number; scripts: number; all: number }> {
  await page.goto(`${product.origin}/dashboard/`, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'firstRowMs' in globalThis)
  const { ms, files } = await page.evaluate(() => ({
    ms: (globalThis as unknown as { firstRowMs: number }).firstRowMs,
    files: (performance.getEntries() as PerformanceResourceTiming[])
      .filter((entry) => 'encodedBodySize' in entry)
      .map(({ name, responseEnd, encodedBodySize }) => ({ name, responseEnd, bytes: encodedBodySize })),
  }))
  const come = files.filter(({ responseEnd }) => responseEnd <= ms)
  const sum = (some: readonly { bytes: number }[]) => some.reduce((all, { bytes }) => all + bytes, 0)
  return { ms, scripts: sum(come.filter(({ name }) => name.endsWith('.js'))), all: sum(come) }
}

/** Ms from the end of the page's own answer to its first paint, the frame; and how far things had moved when all of it stood. */
async function frame(page: Page): Promise<{ paint: number; moved: number }> {
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const [answer] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    // The frame is boxes without a word: the first *contentful* paint is the console's, later.
    const [first] = performance.getEntriesByName('first-paint')
    const { moved } = globalThis as unknown as { moved: readonly number[] }
    return {
      paint: (first?.startTime ?? Number.NaN) - (answer?.responseEnd ?? Number.NaN),
      moved: moved.reduce((sum, value) => sum + value, 0),
    }
  })
}

/** The frame alone, before agents report on the same cores: nothing of it depends on how many there are. */
async function frameRows(product: Product, browser: Browser): Promise<Row[]> {
  const paints: number[] = []
  for (let round = 0; round < 12; round++) {
    const page = await signedIn(product, browser)
    await page.goto(`${product.origin}/dashboard/`, { waitUntil: 'commit' })
    paints.push((await frame(page)).paint)
    await page.context().close()
  }
  const { p50, p95 } = spread(paints)
  const limits = { limit: 150, unit: 'ms', digits: 0 }
  return [
    atMost({ ...limits, what: 'frame: first paint after the answer, median of 12', figure: p50 }),
    atMost({ ...limits, what: 'the same, the slowest', figure: p95 }),
  ]
}

async function firstLoad(product: Product, browser: Browser): Promise<Row[]> {
  const cold: number[] = []
  const slow: number[] = []
  const shifts: number[] = []
  let bytes = { scripts: 0, all: 0 }
  for (let round = 0; round < 5; round++) {
    const page = await signedIn(product, browser)
    const { ms, ...sizes } = await open(product, page)
    cold.push(ms)
    bytes = sizes
    shifts.push((await frame(page)).moved)
    await page.context().close()
    const slowPage = await signedIn(product, browser)
    const session = await slowPage.context().newCDPSession(slowPage)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    slow.push((await open(product, slowPage)).ms)
    await slowPage.context().close()
  }
  return [
    atMost({ what: 'first load: layout shift', limit: 0, figure: Math.max(...shifts), unit: '', digits: 3 }),
    atMost({
      what: 'first load: JavaScript until the first row, as sent (brotli)',
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

const timesOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes)

/** Ms from each key to the frame after it, layout and paint included. */
export async function keyToPaint(page: Page, keys: readonly string[]): Promise<number[]> {
  const before = (await timesOf(page)).length
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key)
    await page.waitForFunction(
      (count) => (globalThis as unknown as { keyTimes: number[] }).keyTimes.length >= count,
      before + index + 1,
    )
  }
  return (await timesOf(page)).slice(before)
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
