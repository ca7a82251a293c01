import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { parseArgs } from 'node:util'
import { Host, IOStreamData, Task } from '@qd/protocol/agent'
import { type MethodName, methods } from '@qd/protocol/methods'
import { toAttachFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import { createDeframer, credentials, frame } from '../support/peers/h2-peer.ts'

/**
 * A process that stands for an agent with one shell, or files, that prints as fast as it is read: at the first input so many bytes in
 * chunks of 32 KiB or as it is told. With a secret it is the agent of a server; without one it is the near end of the bare pipe.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    secret: { type: 'string' },
    bytes: { type: 'string' },
    chunk: { type: 'string' },
  },
})
const { port = '', secret, bytes = '0' } = values
const chunkBytes = Number(values.chunk ?? 32 * 1024)
const uuid = '00000000-0000-4000-8000-000000000001'
const chunk = frame(IOStreamData.encode({ data: Buffer.alloc(chunkBytes, 'x') }).finish())
const chunks = Number(bytes) / chunkBytes

const session = connect(`http://127.0.0.1:${port}`)
session.on('error', () => process.exit(1))
const headers = secret ? credentials(secret, uuid) : {}

function open(from: ClientHttp2Session, method: MethodName): ClientHttp2Stream {
  const stream = from.request(
    {
      ':method': 'POST',
      ':path': methods[method].path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    },
    { endStream: false },
  )
  return stream.on('error', () => undefined)
}

/** What a web server says before so many bytes. */
const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`)

function print(stream: ClientHttp2Stream): void {
  let left = chunks
  const go = () => {
    while (left > 0) {
      left -= 1
      if (!stream.write(chunk)) return
    }
  }
  stream.on('drain', go)
  go()
}

function attach(id: string, isWeb = false): void {
  const stream = open(session, 'IOStream')
  stream.write(frame(IOStreamData.encode({ data: toAttachFrame(id) }).finish()))
  const deframe = createDeframer((message) => {
    if (IOStreamData.decode(message).data.length === 0) return
    if (isWeb) stream.write(frame(IOStreamData.encode({ data: head }).finish()))
    print(stream)
  })
  stream.on('data', deframe)
  stream.on('end', () => {
    stream.end()
    if (!secret) attach(id)
  })
}

if (secret) {
  const info = open(session, 'ReportSystemInfo2')
  info.resume().end(frame(Host.encode(Host.fromPartial({ version: '2.3.3' })).finish()))
  await new Promise((resolve) => info.once('close', resolve))
  const deframe = createDeframer((message) => {
    const task = Task.decode(message)
    const isWeb = task.type === taskType.nat
    if (isWeb || task.type === taskType.terminal || task.type === taskType.files)
      attach((JSON.parse(task.data) as { StreamID: string }).StreamID, isWeb)
  })
  const tasks = open(session, 'RequestTask')
  tasks.on('data', deframe)
  await new Promise((resolve) => tasks.once('response', resolve))
} else attach(uuid)
process.stdout.write('ready 1\n')
