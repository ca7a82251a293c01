import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, signInAt, test } from './console.ts'

/** A reverse proxy with a usual mistake: it names the server by its own address, or passes no upgrade on. */
async function startProxy(target: URL, mistake: 'host' | 'upgrade') {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...(mistake === 'host' && { host: target.host }) }
    const asked = request({ port: target.port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })
  server.on('upgrade', (incoming, socket, head) => {
    if (mistake === 'upgrade') return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    const lines = Object.entries({ ...incoming.headers, host: target.host }).map(([name, value]) => `${name}: ${value}`)
    const there = connect(Number(target.port), '127.0.0.1')
    there.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    there.write(head)
    socket.pipe(there).pipe(socket)
    for (const side of [there, socket]) side.on('error', () => [there, socket].forEach((one) => void one.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

for (const [mistake, words] of [
  [
    'host',
    /The reverse proxy changes the “Host” header: this page is 127\.0\.0\.1:\d+, but the server receives 127\.0\.0\.1:\d+/,
  ],
  ['upgrade', /it must pass websockets on \(headers “Upgrade” and “Connection”\)/],
] as const)
  test(`issue 36.42 behind a proxy that gets ${mistake} wrong, the console says what to mend`, async ({
    page,
    product,
  }) => {
    const { server, url } = await startProxy(new URL(product.url), mistake)
    await signInAt(page, url)
    await expect(page.getByText(words)).toBeVisible()
    server.closeAllConnections()
    server.close()
  })
