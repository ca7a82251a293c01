import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { type MethodName, methods } from '@qd/protocol/methods'

export const credentials = (secret: string, uuid: string): Record<string, string> => ({
  'client-secret': secret,
  client_secret: secret,
  'client-uuid': uuid,
  client_uuid: uuid,
})

/** Prefix: a zero byte and the length as uint32. */
export const frame = (message: Uint8Array): Buffer => {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** Throws on a compressed message. */
export const createDeframer = (onMessage: (message: Buffer) => void): ((chunk: Buffer) => void) => {
  let pending = Buffer.alloc(0)
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    if (pending.length > 0 && pending[0] !== 0) throw new Error(`message flag ${pending[0]} instead of 0`)
    while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
      const end = 5 + pending.readUInt32BE(1)
      onMessage(pending.subarray(5, end))
      pending = pending.subarray(end)
    }
  }
}

/** In cleartext, which a port with TLS accepts too. */
export async function openSession(host: string, port: number, from?: string): Promise<ClientHttp2Session> {
  const session = connect(`http://${host}:${port}`, { localAddress: from } as object)
  await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject))
  session.on('error', () => undefined)
  return session
}

export function openCall(
  session: ClientHttp2Session,
  method: MethodName,
  headers: Record<string, string>,
): ClientHttp2Stream {
  const path = methods[method].path
  const stream = session.request(
    { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers },
    { endStream: false },
  )
  stream.on('error', () => undefined)
  return stream
}

export function askOnce(call: ClientHttp2Stream, message: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    let answered = false
    call.on('data', () => {
      answered = true
    })
    call.on('close', () => (answered ? resolve() : reject(new Error('a call of a simulated agent was not answered'))))
    call.end(frame(message))
  })
}
