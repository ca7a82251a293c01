import { type Browser, chromium, type Page } from '@playwright/test'
import { type Product, password } from './product.ts'

const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run', '--disable-gpu']

/** Chromium as the figures of the web console use it. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['QD_CHROMIUM'] ?? '/usr/bin/chromium', args })

/** A page of a desktop's size whose cookies are an administrator's; nothing is open in it. */
export async function signedIn(product: Product, browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const answer = await context.request.post(`${product.origin}/api/v1/login`, { data: { username: 'admin', password } })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`)
  // tsx wraps named functions, also those that are evaluated in the page, in a call of this name.
  await context.addInitScript('globalThis.__name = (named) => named')
  return context.newPage()
}
