import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A web server that messages are sent to. */
export interface Receiver {
  readonly name: string
  readonly url: string
  close(): Promise<void>
}

/** Starts one on a free port: each request becomes a line `METHOD path body` of `<name>.log`; a path that begins with a status is answered with it. */
export async function startReceiver(name: string, folder: string): Promise<Receiver> {
  const log = join(folder, `${name}.log`)
  writeFileSync(log, '')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method, url = '/' } = request
    appendFileSync(log, `${[method, decodeURIComponent(url.replaceAll('+', ' ')), body].join(' ').trim()}\n`)
    response.writeHead(Number(/^\/(\d{3})/.exec(url)?.[1] ?? 204)).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
