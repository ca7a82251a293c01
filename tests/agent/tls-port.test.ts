import { readFileSync } from 'node:fs'
import { request as requestCleartext } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const pem = (name: string) => readFileSync(new URL(`../data/tls/localhost.${name}.pem`, import.meta.url), 'utf8')
const ca = pem('cert')

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { tls: { cert: ca, key: pem('key') } } })
})
afterAll(() => world.close())

test('https, wss and agents share the port', async () => {
  const { port } = world
  const status = await new Promise((resolve, reject) => {
    request({ port, host: 'localhost', path: '/healthz', ca, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)

  const ws = new WebSocket(`wss://localhost:${port}/api/v1/ws/server`, { ca })
  expect(JSON.parse(String(await new Promise((resolve) => ws.once('message', resolve))))).toMatchObject({ online: 1 })
  ws.terminate()

  const peer = await connectPeer({ port, host: 'localhost', ca })
  const states = peer.open('ReportSystemState', credentials(siteSecret, uuidOf(1)))
  states.send('090000000000002a40')
  expect(await states.take(({ event }) => event === 'message')).toMatchObject({ hex: '0801' })
  peer.destroy()
})

test('a browser that offers both protocols gets HTTP/1.1, an agent that offers only HTTP/2 gets that', async () => {
  const chosen = (protocols: string[]) =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: world.port, host: 'localhost', ca, ALPNProtocols: protocols }, () => {
        resolve(socket.alpnProtocol)
        socket.destroy()
      })
      socket.on('error', reject)
    })
  expect(await chosen(['h2', 'http/1.1'])).toBe('http/1.1')
  expect(await chosen(['h2'])).toBe('h2')
})

test('agents without TLS are still taken on the same port', async () => {
  const peer = await connectPeer({ port: world.port })
  const session = connectHttp2(`http://127.0.0.1:${world.port}`)
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  session.destroy()
  peer.destroy()
})

test('cleartext HTTP on a TLS port: pages lead to https, hosts get what they fetch, everything else is refused in one sentence', async () => {
  const ask = (method: string, path: string, headers = {}) =>
    new Promise<[status: number | undefined, location: string | undefined, body: string]>((resolve, reject) => {
      const options = { port: world.port, host: '127.0.0.1', method, path, headers: { Host: 'qd.test', ...headers } }
      requestCleartext({ ...options, agent: false }, async (answer) => {
        let body = ''
        for await (const bytes of answer) body += bytes
        resolve([answer.statusCode, answer.headers.location, body])
      })
        .on('error', reject)
        .end()
    })
  expect(await ask('GET', '/dashboard?a=1')).toEqual([308, 'https://qd.test/dashboard?a=1', ''])
  expect(await ask('GET', '/install.sh')).toEqual([200, undefined, expect.stringContaining('#!/bin/sh')])
  expect(await ask('GET', '/agent/../healthz')).toEqual([308, 'https://qd.test/agent/../healthz', ''])
  expect((await ask('GET', '/agent/manifest.json?a'))[0]).toBe(503)
  for (const path of ['/nezha-agent.sh', '/agent/nezha/a.zip']) expect((await ask('GET', path))[0]).toBe(404)
  const websocket = { Connection: 'Upgrade', Upgrade: 'websocket' }
  expect(await ask('GET', '/api/v1/ws/server', websocket)).toEqual([308, 'https://qd.test/api/v1/ws/server', ''])
  const refused = [400, undefined, '{"error":"this port uses HTTPS; use https://"}']
  expect(await ask('POST', '/api/v1/login')).toEqual(refused)
  expect(await ask('GET', 'http://elsewhere.test/')).toEqual(refused)
})
