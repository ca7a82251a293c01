import { Agent, request } from 'node:http'
import type { Product } from './product.ts'

/** An administrator with one kept connection. */
export interface Caller {
  cookie: string
  /** Sends one call and answers the bytes of its body as they came. Errors: any status but 200. */
  send(method: string, path: string, body?: unknown): Promise<number>
  /** The same, answering `data`. Errors: also where the envelope says so. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): void
}

/** Signs in. */
export async function createCaller(product: Product): Promise<Caller> {
  const { cookie, csrf } = await product.signIn()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  function exchange(method: string, path: string, body: unknown, encoding: string): Promise<Buffer> {
    const headers = {
      cookie,
      'x-csrf-token': csrf,
      'accept-encoding': encoding,
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    return new Promise((resolve, reject) => {
      const call = request(`${product.origin}${path}`, { method, headers, agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(Buffer.concat(chunks))
            : reject(new Error(`${path}: ${answer.statusCode} ${Buffer.concat(chunks)}`)),
        )
      })
      call.on('error', reject)
      call.end(body ? JSON.stringify(body) : undefined)
    })
  }
  return {
    cookie,
    send: async (method, path, body) => (await exchange(method, path, body, 'br')).length,
    async call<T>(method: string, path: string, body?: unknown) {
      const { success, data, error } = JSON.parse(String(await exchange(method, path, body, 'identity')))
      if (!success) throw new Error(`${method} ${path}: ${error}`)
      return data as T
    },
    close: () => agent.destroy(),
  }
}
