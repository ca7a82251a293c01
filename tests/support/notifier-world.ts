import type { Browser } from './browser.ts'
import { type Receiver, startReceiver } from './peers/receiver.ts'
import { createWorld, type World } from './world.ts'

/** A server whose notifiers reach one receiver, under names that a test decides. */
export interface NotifierWorld {
  readonly world: World
  readonly root: Browser
  readonly alice: Browser
  readonly receiver: Receiver
  /** Addresses by host name, and the names that were asked for. */
  readonly addresses: Record<string, string[]>
  readonly asked: string[]
  allow(entries: readonly string[]): Promise<void>
  /** The receiver takes everything again, and is the only one allowed; `push.example` and `other.example` lead there. */
  reset(): Promise<void>
  /** Input of a notifier with secrets in address, header and body. */
  hook(fields?: object): Record<string, unknown>
  /** Saves one as the administrator, without a test. Returns its id. */
  create(fields?: object): Promise<number>
  /** The error of a call; undefined if it went well. */
  errorOf(browser: Browser, method: string, path: string, body: unknown): Promise<string | undefined>
  close(): Promise<void>
}

/** Starts both, with an administrator and the member alice. */
export async function startNotifierWorld(): Promise<NotifierWorld> {
  const receiver = await startReceiver()
  const addresses: Record<string, string[]> = {}
  const asked: string[] = []
  const world = await createWorld({
    async resolve(host) {
      asked.push(host)
      return (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  const root = await world.login()
  const { browser: alice } = await world.member('alice')

  async function allow(outbound_allowlist: readonly string[]): Promise<void> {
    const { settings } = world.server.container
    const { put } = settings as unknown as { put(values: object): Promise<void> }
    await put({ ...settings.get(), outbound_allowlist })
  }
  const hook = (fields: object = {}) => ({
    name: 'hook',
    url: `http://push.example:${receiver.port}/token-in-path`,
    request_method: 2,
    request_type: 1,
    request_header: '{"Authorization":"Bearer header-secret"}',
    request_body: '{"text":"#NEZHA#","key":"body-secret"}',
    verify_tls: true,
    format_metric_units: false,
    ...fields,
  })
  return {
    world,
    root,
    alice,
    receiver,
    addresses,
    asked,
    allow,
    async reset() {
      asked.length = 0
      for (const host of Object.keys(addresses)) delete addresses[host]
      Object.assign(addresses, { 'push.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] })
      receiver.answers = 200
      await allow([`127.0.0.1:${receiver.port}`])
    },
    hook,
    create: (fields = {}) => root.api('POST', 'notification', hook({ skip_check: true, ...fields })) as Promise<number>,
    errorOf: async (browser, method, path, body) =>
      (await browser.send(method, `/api/v1/${path}`, { body })).body.error,
    async close() {
      await world.close()
      await receiver.close()
    },
  }
}
