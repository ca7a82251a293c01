import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js'
import type { IOStreamData } from '@qd/protocol/agent'
import { methods } from '@qd/protocol/methods'
import { type WebSocket, WebSocketServer } from 'ws'

/** A process with the barest relay there can be, to measure ours against: one gRPC call wired to one websocket, one after the other. */
const { path, request, response } = methods.IOStream
type Call = ServerDuplexStream<IOStreamData, IOStreamData>
let arrive: (call: Call) => void = () => undefined
const arrival = () =>
  new Promise<Call>((resolve) => {
    arrive = resolve
  })
let next = arrival()

const grpc = new Server()
const definition = {
  IOStream: {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message: IOStreamData) => Buffer.from(request.encode(message)),
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    responseSerialize: (message: IOStreamData) => Buffer.from(response.encode(message)),
    responseDeserialize: (bytes: Buffer) => response.decode(bytes),
  },
} as const
grpc.addService(definition, {
  IOStream(opened: Call) {
    opened.on('error', () => undefined)
    // The first message names the stream.
    opened.once('data', () => {
      opened.pause()
      arrive(opened)
    })
  },
})
// Without a delay for small packets, as ours: window updates are such.
const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
const agents = createServer({ noDelay: true }, (socket) => injector.injectConnection(socket)).listen(0, '127.0.0.1')
await once(agents, 'listening')

const web = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
web.on('connection', async (ws: WebSocket, { socket }: { socket: Socket }) => {
  const arrived = next
  ws.on('message', (data: Buffer) => void arrived.then((call) => call.write({ data })))
  ws.on('close', () => void arrived.then((call) => call.end()))
  const from = await arrived
  next = arrival()
  from.on('data', ({ data }: IOStreamData) => {
    ws.send(data, { binary: true })
    if (ws.bufferedAmount >= 256 * 1024) from.pause()
  })
  socket.on('drain', () => from.resume())
  from.resume()
})
await once(web, 'listening')
/** The same for a visitor's socket. */
const plain = createServer({ noDelay: true }, async (socket) => {
  const arrived = next
  socket.on('data', (data: Buffer) => void arrived.then((call) => call.write({ data })))
  socket.on('close', () => void arrived.then((call) => call.end()))
  socket.on('error', () => undefined)
  const from = await arrived
  next = arrival()
  from.on('data', ({ data }: IOStreamData) => {
    if (!socket.write(data)) from.pause()
  })
  socket.on('drain', () => from.resume())
  from.resume()
}).listen(0, '127.0.0.1')
await once(plain, 'listening')
const [from, to, visitors] = [agents, web, plain].map((server) => (server.address() as AddressInfo).port)
process.stdout.write(`ports ${from} ${to} ${visitors}\n`)
