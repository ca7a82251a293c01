import type { Browser } from '@playwright/test'
import { signedIn, startBrowser } from '../browser.ts'
import { type Product, startProduct } from '../product.ts'
import { atLeast, atMost, type Row, spread } from '../row.ts'
import { median, oneLoad, openList } from './load.ts'
import { withManyServers } from './many.ts'

const rounds = 5
const ms = { unit: 'ms', digits: 0 }

/** Figures of issue 17 of long lists: until they stand, the longest stretch of the main thread meanwhile, and frames while scrolling. */
export async function longListRows(): Promise<Row[]> {
  const browser = await startBrowser()
  try {
    return [...(await thousand(browser)), ...(await tenThousand(browser))]
  } finally {
    await browser.close()
  }
}

/** With as many agents that report each 3 s. */
async function thousand(browser: Browser): Promise<Row[]> {
  const product = await startProduct()
  try {
    await product.agents(1000, 3000)
    const ready = await standing(product, browser)
    const frames: number[] = []
    for (let round = 0; round < 3; round++) frames.push(await scrolled(product, browser))
    return [
      atMost({ ...ms, what: '1,000 rows: ready', limit: 800, figure: ready.ms }),
      atMost({ ...ms, what: '1,000 rows: longest task', limit: 150, figure: ready.longest }),
      atLeast({
        what: '1,000 rows: frames while scrolling, four rows a frame',
        limit: 50,
        figure: spread(frames).p50,
        unit: '/s',
        digits: 0,
      }),
    ]
  } finally {
    await product.close()
  }
}

function tenThousand(browser: Browser): Promise<Row[]> {
  return withManyServers(10_000, async (product) => {
    const ready = await standing(product, browser)
    return [
      atMost({ ...ms, what: '10,000 rows: ready', limit: 1500, figure: ready.ms }),
      atMost({ ...ms, what: '10,000 rows: longest task', limit: 200, figure: ready.longest }),
    ]
  })
}

/** Medians of loads of the list. */
async function standing(product: Product, browser: Browser): Promise<{ ms: number; longest: number }> {
  await oneLoad(product, browser)
  const all: Awaited<ReturnType<typeof oneLoad>>[] = []
  for (let round = 0; round < rounds; round++) all.push(await oneLoad(product, browser))
  return { ms: median(all, 'ms'), longest: median(all, 'longest') }
}

/** Frames per second while the list goes by, 100 px a frame, from its top to its end. */
async function scrolled(product: Product, browser: Browser): Promise<number> {
  const page = await signedIn(product, browser)
  await openList(product, page)
  const figure = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const grid = document.querySelector('[role=grid]')!
        const started = performance.now()
        let frames = 0
        const step = () => {
          frames += 1
          const before = grid.scrollTop
          grid.scrollTop += 100
          if (grid.scrollTop > before) requestAnimationFrame(step)
          else resolve((frames / (performance.now() - started)) * 1000)
        }
        requestAnimationFrame(step)
      }),
  )
  await page.context().close()
  return figure
}
