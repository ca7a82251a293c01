import { get } from 'node:http'
import { connect } from 'node:net'
import { besidePipe } from './relay.ts'
import { atLeast, type Row } from './row.ts'

const bytes = 128 * 1024 * 1024
const domain = 'bench.example.test'

/** The relay of a web server behind an agent against the barest pipe from a socket to an agent's call, in turns. */
export function natRows(): Promise<Row[]> {
  return besidePipe(bytes, async ({ product, plain, inTurns }) => {
    const { cookie, csrf } = await product.signIn()
    await fetch(`${product.origin}/api/v1/nat`, {
      method: 'POST',
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'bench', enabled: true, server_id: 1, host: '127.0.0.1:1', domain }),
    })
    const { relay, least } = await inTurns(
      () => relayRate(product.port),
      () => pipeRate(plain),
    )
    return [
      atLeast({
        what: `NAT: relay of a body of 128 MiB against a bare socket-to-gRPC pipe (${relay.toFixed(0)} of ${least.toFixed(0)} MB/s)`,
        limit: 60,
        figure: (relay / least) * 100,
        unit: '%',
        digits: 0,
      }),
    ]
  })
}

const rate = (begun: number) => bytes / 1e6 / ((performance.now() - begun) / 1000)

function relayRate(port: number): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const asked = get({ port, headers: { host: domain }, agent: false }, (answer) => {
      let got = 0
      answer.on('data', (part: Buffer) => {
        got += part.length
      })
      answer.on('end', () => (got === bytes ? resolve(rate(begun)) : reject(new Error(`${got} of ${bytes} bytes`))))
    })
    asked.on('error', reject)
  })
}

function pipeRate(port: number): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let got = 0
    socket.on('error', reject)
    socket.on('data', (part: Buffer) => {
      got += part.length
      if (got < bytes) return
      resolve(rate(begun))
      socket.destroy()
    })
    socket.write('go')
  })
}
