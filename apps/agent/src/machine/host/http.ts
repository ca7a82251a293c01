import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

export interface FetchOptions {
  maxBytes: number
  timeoutMs: number
  family?: 4 | 6
  lookup: LookupFunction
  insecure?: boolean
}

const trusted = () => {
  const path = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
  return path ? { ca: readFileSync(path) } : {}
}

/** Rejects on a status other than 200, a longer body and a timeout. */
export const fetchBytes = (
  url: string,
  { maxBytes, timeoutMs, family, lookup, insecure = false }: FetchOptions,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const base = {
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
      ...(family ? { family } : {}),
    } as const
    const options = { ...base, rejectUnauthorized: !insecure }
    const request = url.startsWith('https:') ? getHttps(url, { ...options, ...trusted() }) : getHttp(url, base)
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', reject)
      if (response.statusCode !== 200) {
        response.resume()
        return reject(new Error(`${url} answered ${response.statusCode}`))
      }
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxBytes) request.destroy(new Error(`${url} returned more than ${maxBytes} bytes`))
      })
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
  })
