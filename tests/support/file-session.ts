import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AppError, isErrorCode } from '@qd/core/errors'
import { createFileSession, type FileSession } from '@qd/core/files'
import { WebSocket } from 'ws'
import type { Browser } from './browser.ts'
import { clocks } from './peers/fake-dashboard.ts'
import type { World } from './world.ts'

/** The files of a server as core's clients see them: a real session over the world's own port; with `run` an upload is its part of it. */
export function openFiles(world: World, browser: Browser, server: number, run?: number): FileSession {
  return createFileSession({
    server,
    ...(run !== undefined && { run }),
    api: {
      async send({ method, path, query = {}, body }) {
        const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
        const answer = await browser.send(method, `/api/v1/${path}?${search}`, { body })
        const { success, data = null, error = '', code = '', params } = answer.body
        if (success === true) return data
        throw new AppError(isErrorCode(code) ? code : 'failed', { text: error, ...(params as object) })
      },
    },
    ports: {
      openSocket({ url, protocols, headers }, handlers) {
        const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false })
        socket.on('open', () => handlers.open(socket.protocol))
        socket.on('message', (data: Buffer) => handlers.message(new Uint8Array(data)))
        socket.on('close', (code, reason) => handlers.close(code, String(reason)))
        socket.on('error', () => undefined)
        return {
          send: (data) => socket.send(data),
          close: () => socket.close(),
          buffered: () => socket.bufferedAmount,
          flow: (isOn) => (isOn ? socket.resume() : socket.pause()),
        }
      },
      setTimer: clocks.setTimer,
    },
    baseUrl: world.origin,
    headers: () => ({ cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
  })
}

/** A file of these bytes, to be sent. */
export const sourceOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
})

/** Takes a file into memory. */
export function createSink() {
  const parts: Uint8Array[] = []
  let begun: number | null = null
  return {
    begin(size: number) {
      begun = size
    },
    write: (bytes: Uint8Array) => void parts.push(bytes),
    size: () => begun,
    bytes: () => Buffer.concat(parts),
  }
}

/** Bytes of buffers that somebody in this process still holds, be it agent, server or reader; what waits to be collected is collected first. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // The first one only finds out what is free.
  for (let turn = 0; turn < 2; turn += 1) collect()
  return process.memoryUsage().arrayBuffers
}
