import type { OpenSocket } from '@qd/core/api'
import { WebSocket } from 'ws'

/** Opens websockets over the `ws` package. Only what streams loads this file. */
export const openSocket: OpenSocket = ({ url, protocols, headers }, handlers) => {
  const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false })
  socket.binaryType = 'arraybuffer'
  socket.on('open', () => handlers.open(socket.protocol))
  socket.on('message', (data, isBinary) => {
    const bytes = new Uint8Array(data as ArrayBuffer)
    handlers.message(isBinary ? bytes : new TextDecoder().decode(bytes))
  })
  socket.on('close', (code, reason) => handlers.close(code, reason.toString('utf8')))
  // What went wrong is told by `close`, which always follows.
  socket.on('error', () => undefined)
  return {
    send: (data) => socket.send(data),
    close: () => socket.close(),
    buffered: () => socket.bufferedAmount,
    flow: (isOn) => (isOn ? socket.resume() : socket.pause()),
  }
}
