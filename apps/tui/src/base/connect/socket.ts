import type { OpenSocket } from '@qd/core/api'
import { WebSocket } from 'ws'
import type { Io } from '../io.ts'
import { proxyFor, tunnelTo } from './proxy.ts'

export const createOpenSocket =
  (env: Io['env']): OpenSocket =>
  ({ url, protocols, headers }, handlers) => {
    const target = new URL(url)
    const proxy = proxyFor(target, env)
    const through = proxy ? { createConnection: tunnelTo(target, proxy) } : {}
    const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false, ...through })
    socket.binaryType = 'arraybuffer'
    socket.on('open', () => handlers.open(socket.protocol))
    socket.on('message', (data, isBinary) => {
      const bytes = new Uint8Array(data as ArrayBuffer)
      handlers.message(isBinary ? bytes : new TextDecoder().decode(bytes))
    })
    socket.on('close', (code, reason) => handlers.close(code, reason.toString('utf8')))
    socket.on('error', () => undefined)
    return {
      send: (data) => socket.send(data),
      close: () => socket.close(),
      buffered: () => socket.bufferedAmount,
      flow: (isOn) => (isOn ? socket.resume() : socket.pause()),
    }
  }

export const socketPorts = <World extends Pick<Io, 'env'>>(io: World): World & { readonly openSocket: OpenSocket } => ({
  ...io,
  openSocket: createOpenSocket(io.env),
})
