import { type Browser, createBrowser } from '../support/browser.ts'
import { admin, type Product } from './console.ts'

/** A caller of the product's API, signed in as the administrator. */
export async function signIn({ url }: Product): Promise<Browser> {
  const browser = createBrowser(url)
  await browser.login(admin.username, admin.password)
  return browser
}

/** A service as the wire has it, of a web address unless told otherwise. Answers its id. */
export async function addService(browser: Browser, values: Readonly<Record<string, unknown>>): Promise<number> {
  const usual = {
    type: 1,
    duration: 30,
    display_index: 0,
    cover: 0,
    skip_servers: {},
    notify: false,
    notification_group_id: 0,
    latency_notify: false,
    min_latency: 0,
    max_latency: 0,
    enable_trigger_task: false,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
    hide_for_guest: false,
  }
  return (await browser.api('POST', 'service', { ...usual, ...values })) as number
}
