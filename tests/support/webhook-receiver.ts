import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from './browser.ts'

/** A web server that messages are sent to. */
export interface WebhookReceiver {
  /** Bodies as they came, oldest first. */
  readonly messages: readonly string[]
  /** Makes a notifier for it, and a group of that one. Answers the group's id. */
  addGroup(browser: Browser): Promise<number>
  close(): void
}

/** Starts a receiver that takes everything. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const messages: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    messages.push(body)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    messages,
    async addGroup(browser) {
      const settings = (await browser.api('GET', 'setting')) as { config: object }
      await browser.api('PATCH', 'setting', { ...settings.config, outbound_allowlist: ['127.0.0.1'] })
      const body = { name: 'hook', url, request_method: 2, request_type: 1, request_body: '#NEZHA#', skip_check: true }
      const id = await browser.api('POST', 'notification', { ...body, request_body: '{"text":"#NEZHA#"}' })
      return (await browser.api('POST', 'notification-group', { name: 'ops', notifications: [id] })) as number
    },
    close: () => void server.close(),
  }
}
