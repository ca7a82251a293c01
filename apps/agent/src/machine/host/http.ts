import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** How a page is fetched. */
export interface FetchOptions {
  /** A longer answer is an error. */
  maxBytes: number
  timeoutMs: number
  family?: 4 | 6
  lookup: LookupFunction
  /** Accept any certificate. */
  insecure?: boolean
}

/** The roots that the library of our calls trusts instead of the built-in ones, so that both trust the same server. */
const trusted = () => {
  const path = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
  return path ? { ca: readFileSync(path) } : {}
}

/** Body of an answer with status 200. Errors: rejects on every other status, on a longer body and after the time. */
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
