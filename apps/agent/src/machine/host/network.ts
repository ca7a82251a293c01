import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { connect as connectSocket, type LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Connection, Machine, Page, PageRequest } from '../machine.ts'

const certificateOf = (socket: unknown): Page['certificate'] => {
  if (!(socket instanceof TLSSocket)) return undefined
  const { issuer, valid_to } = socket.getPeerCertificate()
  return { issuer: [issuer?.CN].flat().join(' '), expiresAt: new Date(valid_to) }
}

/** Node’s 250 ms per address are too short for distant hosts. */
const dialing = (lookup: LookupFunction) => ({ lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 })

const getPage = (lookup: LookupFunction, { url, headers, maxBytes, timeoutMs }: PageRequest): Promise<Page> =>
  new Promise((resolve, reject) => {
    const options = { ...dialing(lookup), agent: false, headers, signal: AbortSignal.timeout(timeoutMs) } as const
    const request = url.protocol === 'https:' ? getHttps(url, options) : getHttp(url, options)
    request.on('error', reject)
    request.on('response', (response) => {
      const { statusCode: status = 0, statusMessage: reason = '', socket } = response
      const page = { status, reason, certificate: certificateOf(socket) }
      let length = 0
      response.on('error', reject)
      response.on('end', () => resolve(page))
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= maxBytes) return
        resolve(page)
        request.destroy()
      })
    })
  })

const connect = (address: string, port: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connectSocket({ host: address, port, signal })
    socket.on('error', reject)
    socket.on('connect', () => {
      resolve()
      socket.destroy()
    })
  })

const openConnection = (lookup: LookupFunction, target: string): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const [, v6, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(target) ?? []
    const socket = connectSocket({
      ...dialing(lookup),
      host: v6 ?? plain ?? target,
      port: Number(port ?? 80),
      noDelay: true,
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve({
        write: (bytes) =>
          new Promise((written, failed) => {
            if (socket.destroyed) return failed(new Error('the connection is closed'))
            if (socket.write(bytes)) return written()
            const settle = () => {
              socket.off('drain', settle).off('close', settle)
              written()
            }
            socket.on('drain', settle).on('close', settle)
          }),
        messages: socket,
        close: () => socket.destroy(),
      })
    })
  })

export const createNetwork = (lookup: LookupFunction): Pick<Machine, 'getPage' | 'connect' | 'openConnection'> => ({
  getPage: (request) => getPage(lookup, request),
  connect,
  openConnection: (target) => openConnection(lookup, target),
})
