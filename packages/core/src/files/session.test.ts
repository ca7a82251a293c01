import {
  filePieceBytes,
  parseFileRequest,
  toDownloadHeader,
  toFileError,
  toListingFrame,
  uploadedFrame,
} from '@qd/protocol/files'
import { expect, test } from 'vitest'
import { createTimers } from '../../../../tests/support/core/timers.ts'
import type { SocketHandlers } from '../api/index.ts'
import { createFileSession } from './session.ts'
import type { TransferProgress } from './types.ts'

/** An existing dashboard and agent, played by the test; the clock stands still until it is moved. */
function createWorld() {
  const clock = createTimers(0)
  const sockets: (SocketHandlers & { sent: Uint8Array[]; closed: boolean; protocols: readonly string[] })[] = []
  let unsent = 0
  const files = createFileSession({
    server: 7,
    api: { send: async () => ({ session_id: `s${sockets.length}` }) },
    baseUrl: 'https://fleet',
    ports: {
      setTimer: clock.setTimer,
      openSocket({ protocols }, handlers) {
        const socket = { ...handlers, protocols, sent: [] as Uint8Array[], closed: false }
        sockets.push(socket)
        queueMicrotask(() => handlers.open(''))
        return {
          send: (data) => void socket.sent.push(data as Uint8Array),
          close() {
            socket.closed = true
          },
          buffered: () => unsent,
        }
      },
    },
  })
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await null
  }
  return {
    files,
    sockets,
    settle,
    hold(bytes: number) {
      unsent = bytes
    },
    async pass(ms: number) {
      await settle()
      for (const _ of clock.passing(ms)) await settle()
    },
    /** The stream that was asked for this, once it was. */
    async asked(kind: string) {
      for (let turn = 0; turn < 20; turn++) {
        await settle()
        const socket = sockets.find(({ sent }) => sent.some((bytes) => parseFileRequest(bytes)?.kind === kind))
        if (socket) return socket
      }
      throw new Error(`nobody asked for ${kind}`)
    },
  }
}
const bytes = (text: string) => new TextEncoder().encode(text)
const source = (size: number) => ({ size, read: async (_: number, length: number) => new Uint8Array(length).fill(9) })

test('through an existing dashboard nothing else is offered, and no subprotocol', async () => {
  const { files, sockets } = createWorld()
  expect([...(await files.abilities())]).toEqual([])
  expect(sockets[0]!.protocols).toEqual([])
  await expect(files.makeFolder('/x')).rejects.toMatchObject({ code: 'unsupported' })
  await expect(files.upload('/x', source(1), { resume: true })).rejects.toMatchObject({ code: 'unsupported' })
})

test('trap: an unreadable folder is answered with the home folder, and that is said', async () => {
  const { files, asked } = createWorld()
  const listed = files.list('/root/secret')
  ;(await asked('list')).message(toListingFrame('/home/alice/', [{ name: 'notes', isFolder: false }]))
  expect(await listed).toMatchObject({ path: '/home/alice', isElsewhere: true })
})

test('trap: an upload that is refused sends nothing more, and its stream is not used again', async () => {
  const { files, asked, settle } = createWorld()
  const sent = files.upload('/x/y', source(5 * filePieceBytes)).catch((error) => error)
  const socket = await asked('upload')
  socket.message(toFileError('open /x/y: permission denied'))
  expect(await sent).toMatchObject({ code: 'failed', params: { text: 'open /x/y: permission denied' } })
  await settle()
  expect(socket.sent).toHaveLength(1)
  expect(socket.closed).toBe(true)
})

test('W-28: an upload that breaks off says that the file there is incomplete', async () => {
  const { files, asked, pass } = createWorld()
  const sent = files.upload('/x/y', source(3 * filePieceBytes)).catch((error) => error)
  const socket = await asked('upload')
  await pass(400)
  expect(socket.sent.length).toBe(4)
  socket.close(1006, '')
  expect(await sent).toMatchObject({ code: 'fileIncomplete', params: { path: '/x/y' } })
})

test('W-26: no more than 8 MiB wait in the socket; it goes on when there is room', async () => {
  const { files, asked, pass, hold } = createWorld()
  const sent = files.upload('/x', source(20 * filePieceBytes))
  const socket = await asked('upload')
  hold(5 * filePieceBytes)
  await pass(1000)
  expect(socket.sent.length).toBe(2)
  hold(0)
  await pass(1000)
  expect(socket.sent.length).toBe(21)
  socket.message(uploadedFrame)
  expect(await sent).toEqual({ path: '/x', size: 20 * filePieceBytes, sha256: null })
})

test('N-14: a download that stands still is told after 15 s and given up after a minute', async () => {
  const { files, asked, pass } = createWorld()
  const told: TransferProgress[] = []
  const taken = files
    .download('/x', { write: () => undefined }, { onProgress: (one) => void told.push(one) })
    .catch((error) => error)
  const socket = await asked('download')
  socket.message(toDownloadHeader(100))
  socket.message(bytes('only this'))
  await pass(15_001)
  expect(told.at(-1)).toEqual({ done: 9, total: 100, stalled: true })
  await pass(60_000)
  expect(await taken).toMatchObject({ code: 'fileStalled' })
  expect(socket.closed).toBe(true)
})

test('trap: after a download of an existing agent its stream is closed, as a file that grew still sends', async () => {
  const { files, asked, settle } = createWorld()
  const got: Uint8Array[] = []
  const taken = files.download('/x', { write: (part) => void got.push(part) })
  const socket = await asked('download')
  socket.message(toDownloadHeader(4))
  socket.message(bytes('12345'))
  expect(await taken).toEqual({ size: 4, grew: true })
  await settle()
  expect([got.map((part) => new TextDecoder().decode(part)), socket.closed]).toEqual([['1234'], true])
})

test('trap: an empty file is an error of existing agents, and a file of no bytes here', async () => {
  const { files, asked } = createWorld()
  const begun: number[] = []
  const taken = files.download('/x', { begin: (size) => void begun.push(size), write: () => undefined })
  ;(await asked('download')).message(toFileError('requested file is empty'))
  expect([await taken, begun]).toEqual([{ size: 0, grew: false }, [0]])
})

test('cancelling closes the stream; closing ends all that is under way', async () => {
  const { files, asked, sockets } = createWorld()
  const stop = new AbortController()
  const taken = files.download('/x', { write: () => undefined }, { signal: stop.signal }).catch((error) => error)
  const socket = await asked('download')
  stop.abort()
  expect([(await taken).code, socket.closed]).toEqual(['cancelled', true])
  const listed = files.list('/y').catch((error) => error)
  await asked('list')
  files.close()
  expect((await listed).code).toBe('cancelled')
  expect(sockets.every(({ closed }) => closed)).toBe(true)
  await expect(files.list('/')).rejects.toMatchObject({ code: 'cancelled' })
})
