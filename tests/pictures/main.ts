import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { type Product, password, root, startProduct } from '../bench/product.ts'
import { docPages, readSource } from '../support/sources.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { hostScenes, scenes } from './scenes.ts'
import { startWithPast } from './start.ts'
import { takeScreens, takeTerminal } from './terminal.ts'

const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run', '--disable-gpu']
/** Ends of file names, as those of the mocks. */
const variants = [
  { name: 'light', theme: 'light', width: 1280 },
  { name: 'dark', theme: 'dark', width: 1280 },
  { name: '400-light', theme: 'light', width: 400 },
] as const
type Variant = (typeof variants)[number]
/** Long enough for the trends to be lines. */
const pastMs = 15_000
const usage = 'npm run pictures [-- [--all FOLDER] [NAME…]]'
const { values, positionals: only } = parseArgs({ options: { all: { type: 'string' } }, allowPositionals: true })
if (only.some((name) => name.startsWith('-'))) throw new Error(usage)
const folder = values.all === undefined ? join(root, 'docs/pictures') : resolve(values.all)
const shown = new Set(
  ['README.md', ...docPages()].flatMap((page) =>
    [...readSource(page).matchAll(/pictures\/([\w-]+)\.webp/g)].map(([, name]) => name!),
  ),
)
const fileOf = (name: string, variant: Variant) => `${name}-${variant.name}`
/** Without `--all`, those that a page shows. */
const isWanted = (name: string, variant: Variant) =>
  (only.length === 0 || only.includes(name)) && (values.all !== undefined || shown.has(fileOf(name, variant)))

const contextOf = (browser: Browser, { theme, width }: Variant): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
  })

async function signedIn(browser: Browser, { origin }: Product, variant: Variant): Promise<Page> {
  const context = await contextOf(browser, variant)
  await context.request.post(`${origin}/api/v1/login`, { data: { username: 'admin', password } })
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

/** Takes one picture; a phone is shown as one without a keyboard, whatever led there. */
async function take(page: Page, name: string, variant: Variant): Promise<void> {
  if (!isWanted(name, variant)) return
  await page.evaluate((isPhone) => {
    if (isPhone) delete document.documentElement.dataset.keyboard
  }, variant.width < 600)
  await page.mouse.move(variant.width - 2, 2)
  await save(page, fileOf(name, variant), await page.screenshot({ animations: 'disabled', caret: 'initial' }))
}

/** Writes a screenshot as WebP, which is half of what it was; the browser has the encoder. */
async function save(page: Page, name: string, png: Buffer): Promise<void> {
  const blank = await page.context().newPage()
  const url = await blank.evaluate(
    async (data) => {
      const image = await createImageBitmap(await (await fetch(data)).blob())
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')!.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.9)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await blank.close()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
  process.stdout.write(`${name}\n`)
}

async function attempt(name: string, variant: Variant, work: () => Promise<void>): Promise<void> {
  if (!isWanted(name, variant)) return
  try {
    await work()
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

/** Pages that need a console of their own: signed out, nothing there, slow, broken. */
async function takeApart(browser: Browser, product: Product, fresh: Product, variant: Variant): Promise<void> {
  await attempt('login', variant, async () => {
    const page = await (await contextOf(browser, variant)).newPage()
    await page.goto(`${product.origin}/dashboard/login`)
    await page.getByRole('textbox', { name: 'Username' }).fill('admin')
    await take(page, 'login', variant)
    await page.context().close()
  })
  await attempt('empty', variant, async () => {
    const page = await signedIn(browser, fresh, variant)
    await page.goto(`${fresh.origin}/dashboard`)
    await page.getByText('Add your first server').waitFor()
    await page.waitForLoadState('networkidle')
    await take(page, 'empty', variant)
    await page.context().close()
  })
  await attempt('loading', variant, async () => {
    const page = await signedIn(browser, product, variant)
    await page.route(/\/api\/v1\/server(\?|$)/, () => undefined)
    await page.routeWebSocket(/ws\/server/, () => undefined)
    await page.goto(`${product.origin}/dashboard`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await take(page, 'loading', variant)
    await page.context().close()
  })
  await attempt('error', variant, async () => {
    const page = await signedIn(browser, product, variant)
    await page.route(/assets\/RunResults[^/]*\.js$/, async (route) => {
      const text = await (await route.fetch()).text()
      const exported = [...(/export\s*\{([^}]*)\}/.exec(text)?.[1] ?? '').matchAll(/(\w+)\s*(?:,|$)/g)]
      const body = exported.map(([, as]) => `export const ${as} = () => { throw new Error('A run without items') }`)
      await route.fulfill({ contentType: 'text/javascript', body: body.join('\n') })
    })
    await page.goto(`${product.origin}/dashboard/run/1`)
    await page.getByText('Oops!').waitFor()
    await take(page, 'error', variant)
    await page.context().close()
  })
}

/** What a visitor sees. */
async function takePublic(browser: Browser, { origin }: Product, variant: Variant): Promise<void> {
  for (const [name, path] of [
    ['status', '/'],
    ['wall', `/wall?theme=${variant.theme}`],
  ] as const)
    await attempt(name, variant, async () => {
      const page = await (await contextOf(browser, variant)).newPage()
      await page.goto(`${origin}${path}`)
      await page.getByText('resolver b').first().waitFor()
      await page.waitForLoadState('networkidle')
      await take(page, name, variant)
      await page.context().close()
    })
}

/** What runs on the hosts of a demo, in the browser and in a terminal. */
async function takeHosts(browser: Browser, demo: Product): Promise<void> {
  for (const variant of variants) {
    const page = await signedIn(browser, demo, variant)
    for (const [name, scene] of Object.entries(hostScenes))
      await attempt(name, variant, async () => {
        await scene(page, demo.origin)
        await take(page, name, variant)
      })
    await attempt('terminal-ui', variant, async () =>
      save(page, fileOf('terminal-ui', variant), await takeTerminal(page, demo.origin, variant.theme)),
    )
    await page.context().close()
  }
}

/** The list after the server went away. Comes last. */
async function takeStale(pages: readonly Page[], product: Product, fleet: Fleet): Promise<void> {
  for (const page of pages) {
    // Without the filter of the last picture, which the list remembers.
    await page.goto(`${product.origin}/dashboard?q=`)
    await page.getByRole('row').last().waitFor()
    await page.waitForLoadState('networkidle')
  }
  await fleet.close()
  await product.close()
  for (const [index, page] of pages.entries()) {
    await page.getByText('Connection lost').first().waitFor()
    await take(page, 'stale', variants[index]!)
  }
}

mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'qd-pictures-'))
const product = await startWithPast(data)
const fresh = await startProduct()
const demo = await startProduct(undefined, {}, ['--demo'])
const browser = await chromium.launch({ executablePath: process.env.QD_CHROMIUM ?? '/usr/bin/chromium', args })
try {
  const fleet = await createFleet(product)
  const pages = await Promise.all(variants.map((variant) => signedIn(browser, product, variant)))
  for (const page of pages) {
    await page.goto(`${product.origin}/dashboard`)
    await page.getByRole('row').last().waitFor()
  }
  const past = new Promise((resolve) => setTimeout(resolve, pastMs))
  if (values.all) await takeScreens(product.origin, folder)
  for (const variant of variants) await takeApart(browser, product, fresh, variant)
  await past
  for (const [index, variant] of variants.entries()) {
    const stage = { page: pages[index]!, fleet, isPhone: variant.width < 600 }
    for (const [name, scene] of Object.entries(scenes))
      await attempt(name, variant, async () => {
        await scene(stage).catch(async (error) => {
          await stage.page.screenshot({ path: `/tmp/failed-${name}-${variant.name}.png` })
          await stage.page.goto(`${product.origin}/dashboard`)
          throw error
        })
        await take(stage.page, name, variant)
      })
  }
  for (const variant of variants) await takePublic(browser, product, variant)
  await takeHosts(browser, demo)
  if (variants.some((variant) => isWanted('stale', variant))) await takeStale(pages, product, fleet)
  await fleet.close()
} finally {
  await browser.close()
  await product.close()
  await fresh.close()
  await demo.close()
  rmSync(data, { recursive: true, force: true })
}
process.exit()
