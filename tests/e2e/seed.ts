import { serviceBody } from '../support/bodies.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { admin, type Product } from './console.ts'

/** A caller of the product's API, signed in as the administrator. */
export async function signIn({ url }: Product): Promise<Browser> {
  const browser = createBrowser(url)
  await browser.login(admin.username, admin.password)
  return browser
}

/** A service as the wire has it, of a web address unless told otherwise. Returns its id. */
export async function addService(browser: Browser, values: Readonly<Record<string, unknown>>): Promise<number> {
  return (await browser.api('POST', 'service', serviceBody(values))) as number
}

/** Deletes all services, so that nothing of another test is down. */
export async function removeServices(browser: Browser): Promise<void> {
  const services = ((await browser.api('GET', 'service/list')) ?? []) as { id: number }[]
  await browser.api(
    'POST',
    'batch-delete/service',
    services.map(({ id }) => id),
  )
}
