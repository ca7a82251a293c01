import { type IncomingHttpHeaders, request } from 'node:http'
import { request as secureRequest } from 'node:https'

/** What came back for one request. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** `Set-Cookie` lines as they came. */
  cookies: readonly string[]
  text: string
  bytes: Buffer
  /** The envelope, or whatever JSON it was; undefined for anything else. */
  body: Envelope
}

/** The envelope of contract http-api 1.1, loosely. */
export interface Envelope {
  success?: boolean
  data?: unknown
  error?: string
  code?: string
  params?: Record<string, unknown>
  problems?: { field: string; code: string; params?: Record<string, unknown> }[]
}

/** How one request differs from what a browser with this jar would send. */
export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, with the content type of `headers`. */
  bodyText?: string
  headers?: Record<string, string>
  /** Where the call comes from: any address of 127.0.0.0/8. */
  from?: string
  /** Send neither cookies nor the CSRF header. */
  bare?: boolean
}

/** One caller with a cookie jar; sends the CSRF half with every unsafe method, as the console does. */
export interface Browser {
  readonly cookies: Map<string, string>
  /** The path goes out as it is written, so that a test can send any. */
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** One API call that must go well; returns its `data` (null if left out). Errors: throws with the answer's error text. */
  api(method: string, path: string, body?: unknown): Promise<unknown>
  login(username: string, password: string): Promise<Answer>
}

/** A caller of the server at `origin`; any certificate is taken. */
export function createBrowser(origin: string): Browser {
  const cookies = new Map<string, string>()

  async function send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body, bodyText, headers = {}, from, bare = false } = options
    const payload = bodyText ?? (body === undefined ? undefined : JSON.stringify(body))
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const csrf = cookies.get('nz-csrf')
    const answer = await exchange({ origin, method, path, from }, payload, {
      ...(!bare && jar !== '' && { Cookie: jar }),
      ...(!bare && csrf && method !== 'GET' && { 'X-CSRF-Token': csrf }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    })
    if (!bare) keepCookies(cookies, answer.cookies)
    return answer
  }

  return {
    cookies,
    send,
    async api(method, path, body) {
      const answer = await send(method, `/api/v1/${path}`, { body })
      if (answer.body?.success !== true) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.body.data ?? null
    },
    login: (username, password) => send('POST', '/api/v1/login', { body: { username, password } }),
  }
}

function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    if (attributes.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, pair.slice(pair.indexOf('=') + 1))
  }
}

function exchange(
  { origin, method, path, from }: { origin: string; method: string; path: string; from: string | undefined },
  payload: string | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const { hostname, port, protocol } = new URL(origin)
  const start = protocol === 'https:' ? secureRequest : request
  return new Promise((resolve, reject) => {
    const call = start(
      {
        hostname,
        port,
        method,
        path,
        headers,
        agent: false,
        rejectUnauthorized: false,
        ...(from && { localAddress: from }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('error', reject)
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, cookies: headers['set-cookie'] ?? [], text, bytes, body: toJson(text) })
        })
      },
    )
    call.on('error', reject)
    call.end(payload)
  })
}

function toJson(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined as unknown as Envelope
  }
}
