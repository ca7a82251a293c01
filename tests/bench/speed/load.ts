import type { Browser, CDPSession, Page } from '@playwright/test'
import { signedIn, startBrowser } from '../browser.ts'
import { type Product, startProduct } from '../product.ts'
import { atMost, type Row, spread } from '../row.ts'

const rounds = 5
const KB = 1000

/** One file or answer that a load fetched; times in ms since its begin. */
interface Fetched {
  name: string
  from: number
  to: number
  bytes: number
}

/** One load, up to its first row. */
interface Load {
  ms: number
  /** Longest stretch of the main thread until the list was at rest, in ms. */
  longest: number
  /** CPU of scripts, in ms. */
  script: number
  fetched: readonly Fetched[]
}

/** How the network and the processor of a load are slowed down. */
interface Slowed {
  cpu?: number
  /** ms and Mbit/s. */
  network?: { latency: number; rate: number }
}

/** Figures of issue 17 that a person waits for when the console opens, with a list of 200 servers that report. */
export async function loadRows(): Promise<Row[]> {
  const product = await startProduct()
  const browser = await startBrowser()
  try {
    await product.agents(200, 3000)
    await oneLoad(product, browser)
    const plain = await loads(product, browser)
    const slow = await loads(product, browser, { cpu: 4 })
    const wide = await loads(product, browser, { network: { latency: 100, rate: 10 } })
    const narrow = await loads(product, browser, { network: { latency: 300, rate: 1.6 } })
    const middle = plain[Math.floor(rounds / 2)]!
    const before = middle.fetched.filter(({ to }) => to <= middle.ms)
    printChain(middle)
    return [
      timeRow('first row, loopback', 697, plain),
      timeRow('first row at 4x slower CPU', 1836, slow),
      atMost({ ...ms, what: 'script time until the first row', limit: 264, figure: median(plain, 'script') }),
      timeRow('first row at 100 ms and 10 Mbit/s', 1200, wide),
      timeRow('first row at 300 ms and 1.6 Mbit/s', 3500, narrow),
      atMost({ ...count, what: 'requests of the first load', limit: 25, figure: middle.fetched.length }),
      atMost({ ...count, what: 'requests until the first row', limit: 12, figure: before.length }),
      atMost({ ...kilobytes, what: 'JavaScript of the first load', limit: 250, figure: scripts(middle.fetched) }),
      atMost({ ...kilobytes, what: 'JavaScript until the first row', limit: 200, figure: scripts(before) }),
    ]
  } finally {
    await browser.close()
    await product.close()
  }
}

const ms = { unit: 'ms', digits: 0 }
const count = { unit: '', digits: 0 }
const kilobytes = { unit: 'KB', digits: 0 }
/** The middle of a figure of several loads. */
export const median = (of: readonly Load[], what: 'ms' | 'script' | 'longest') =>
  spread(of.map((load) => load[what])).p50
const timeRow = (what: string, limit: number, of: readonly Load[]) =>
  atMost({ ...ms, what, limit, figure: median(of, 'ms') })
const scripts = (files: readonly Fetched[]) =>
  files.reduce((sum, { name, bytes }) => sum + (name.endsWith('.js') ? bytes : 0), 0) / KB

/** Loads, fastest first. */
async function loads(product: Product, browser: Browser, slowed: Slowed = {}): Promise<Load[]> {
  const all: Load[] = []
  for (let round = 0; round < rounds; round++) all.push(await oneLoad(product, browser, slowed))
  return all.sort((a, b) => a.ms - b.ms)
}

/** Runs in the page before anything else: when the first row stood, and every stretch over 50 ms. */
function watchRows() {
  const tasks: number[] = []
  Object.assign(globalThis, { tasks })
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  })
  new MutationObserver((_changes, observer) => {
    if (document.querySelectorAll('[role=row][data-key]').length === 0) return
    observer.disconnect()
    Object.assign(globalThis, { firstRowMs: performance.now() })
  }).observe(document, { childList: true, subtree: true })
}

/** A page of a new browser that opens the list, and what its load took. */
export async function oneLoad(product: Product, browser: Browser, slowed: Slowed = {}): Promise<Load> {
  const page = await signedIn(product, browser)
  const load = await openList(product, page, slowed)
  await page.context().close()
  return load
}

/** The same in a page that stays. */
export async function openList(product: Product, page: Page, { cpu, network }: Slowed = {}): Promise<Load> {
  await page.addInitScript(watchRows)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  if (cpu !== undefined) await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (network) await slowDown(session, network)
  await page.goto(`${product.origin}/dashboard/`, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'firstRowMs' in globalThis)
  const { metrics } = await session.send('Performance.getMetrics')
  const script = 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN)
  if (!network) await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(() => {
    const { firstRowMs, tasks } = globalThis as unknown as { firstRowMs: number; tasks: number[] }
    const files = performance.getEntries().filter((entry) => 'encodedBodySize' in entry) as PerformanceResourceTiming[]
    return {
      ms: firstRowMs,
      longest: Math.max(0, ...tasks),
      fetched: files.map(({ name, startTime, responseEnd, encodedBodySize }) => ({
        name: name.replace(location.origin, ''),
        from: startTime,
        to: responseEnd,
        bytes: encodedBodySize,
      })),
    }
  })
  return { ...seen, script }
}

const slowDown = (session: CDPSession, { latency, rate }: { latency: number; rate: number }) =>
  session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: (rate * 1e6) / 8,
    uploadThroughput: (rate * 1e6) / 8,
  })

/** What was fetched until the first row, and when. */
function printChain({ ms, fetched }: Load): void {
  const lines = fetched
    .filter(({ from }) => from <= ms)
    .map(
      ({ name, from, to, bytes }) =>
        `${from.toFixed(0).padStart(6)} ${to.toFixed(0).padStart(6)} ${String(bytes).padStart(8)} ${name}`,
    )
  process.stderr.write(`from, to (ms), bytes; the first row after ${ms.toFixed(0)} ms\n${lines.join('\n')}\n`)
}
