import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from '../browser.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** A message as it arrived. */
export interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** A real server that messages are sent to. */
export interface Receiver {
  readonly port: number
  readonly origin: string
  readonly inbox: Inbox<Received>
  /** How it answers from now on: with a status, with a status and an address to go on to, with 200 and a body, or not at all. */
  answers: number | { status: number; location: string } | { body: string } | 'nothing'
  /** Lets the server reach it, makes a notifier whose body is `{"text":…}`, and a group of that one. Returns the group's id. */
  addGroup(browser: Browser): Promise<number>
  close(): Promise<void>
}

/** Starts one on 127.0.0.1 that answers 200. */
export async function startReceiver(): Promise<Receiver> {
  const inbox = createInbox<Received>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      inbox.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const { answers } = receiver
      if (answers === 'nothing') return
      if (typeof answers === 'object' && 'body' in answers) return response.end(answers.body)
      const { status, location } = typeof answers === 'number' ? { status: answers, location: '' } : answers
      response.writeHead(status, location === '' ? {} : { Location: location }).end('the receiver’s own words')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    port,
    origin: `http://127.0.0.1:${port}`,
    inbox,
    answers: 200,
    async addGroup(browser) {
      const { config } = (await browser.api('GET', 'setting')) as { config: object }
      await browser.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${port}`] })
      const notifier = { name: 'hook', url: receiver.origin, request_method: 2, request_type: 1, skip_check: true }
      const id = await browser.api('POST', 'notification', { ...notifier, request_body: '{"text":"#NEZHA#"}' })
      return (await browser.api('POST', 'notification-group', { name: 'ops', notifications: [id] })) as number
    },
    async close() {
      const gone = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await gone
    },
  }
  return receiver
}
