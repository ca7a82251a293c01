import { once } from 'node:events'
import { connect } from 'node:http2'
import { serviceName } from '@qd/protocol/methods'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function dial() {
  const session = connect(`http://127.0.0.1:${world.port}`)
  session.on('error', () => undefined)
  await once(session, 'remoteSettings')
  const open = (secret: string) => {
    const stream = session.request(
      {
        ':method': 'POST',
        ':path': `/${serviceName}/ReportSystemInfo2`,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...credentials(secret, uuidOf(1)),
      },
      { endStream: false },
    )
    stream.on('error', () => undefined)
    return stream
  }
  /** Begins a call and takes it back at once, as a rapid reset does. */
  const reset = async () => {
    const stream = open('wrong')
    stream.close(8)
    await once(stream, 'close')
  }
  /** Whether a call with the right secret is answered before the connection ends. */
  const isServed = () => {
    const stream = open(siteSecret)
    stream.end(Buffer.alloc(5))
    return Promise.race([once(stream, 'response').then(() => true), once(stream, 'close').then(() => false)])
  }
  return { session, reset, isServed }
}

test('issue 37.6 streams that are opened and reset count: the 17th ends a connection without a good call', async () => {
  const one = await dial()
  for (let count = 0; count < 15; count += 1) await one.reset()
  expect(await one.isServed()).toBe(true)
  const other = await dial()
  for (let count = 0; count < 16; count += 1) await other.reset()
  expect(await other.isServed()).toBe(false)
  // Who had a good call may open as many as they like.
  for (let count = 0; count < 40; count += 1) await one.reset()
  expect(await one.isServed()).toBe(true)
  one.session.destroy()
})

test('issue 37.6 a connection has 4 streams at once, and 250 after its first good call', async () => {
  const { session, isServed } = await dial()
  expect(session.remoteSettings.maxConcurrentStreams).toBe(4)
  const more = once(session, 'remoteSettings')
  expect(await isServed()).toBe(true)
  await more
  expect(session.remoteSettings.maxConcurrentStreams).toBe(250)
  session.destroy()
})
