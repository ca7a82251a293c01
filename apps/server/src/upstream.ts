import { X509Certificate } from 'node:crypto'
import { validateHeaderName } from 'node:http'
import { Refusal } from './refusal.ts'

/** The existing dashboard that this server stands in front of, as flags and environment name it. */
export interface Upstream {
  /** `http:` or `https:`, with a path where the dashboard is below one, without a slash at the end. */
  url: URL
  /** Certificates that count besides those that Node knows, PEM; null for none. */
  ca: string | null
  /** The `Host` that the dashboard sees. */
  host: string
  /** The header in which the dashboard gets the client's address; null: the client's address is not sent. */
  realIpHeader: string | null
}

/** The values of the flags, as they came. `readFile` reads the file of `--upstream-ca`. */
interface UpstreamTexts {
  url: string
  ca: string | undefined
  host: string | undefined
  realIpHeader: string | undefined
  readFile(path: string): string
}

/** Headers that the gateway fills by itself, or that end or frame a message. */
const takenHeaders =
  /^(host|connection|content-.*|transfer-encoding|upgrade|cookie|authorization|origin|te|trailer|expect|sec-.*|x-csrf-token)$/i

/** Reads the flags of the gateway. Errors: Refusal. */
export function parseUpstream({ url: text, ca, host, realIpHeader, readFile }: UpstreamTexts): Upstream {
  const url = parseUrl(text)
  if (host !== undefined && !/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host))
    throw new Refusal(`--upstream-host is "${host}": a host name is needed, and a port where it is not the usual one`)
  return {
    url,
    ca: ca === undefined ? null : parseCertificates(ca, readFile(ca)),
    host: host ?? url.host,
    realIpHeader: realIpHeader === undefined ? null : parseHeader(realIpHeader),
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Refusal(
      `--upstream is "${text}": the address of a dashboard is needed, such as https://monitor.example.org`,
    )
  if (url.username !== '' || url.password !== '')
    throw new Refusal('--upstream holds a user name or a password: leave them out; people sign in on the page')
  // People copy the address of the page that they have open.
  const path = url.pathname.replace(/\/(dashboard|api\/v1)(\/.*)?$/, '').replace(/\/+$/, '')
  return new URL(url.origin + path)
}

function parseCertificates(file: string, pem: string): string {
  try {
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new Refusal(`--upstream-ca ${file} holds no certificate in PEM form (${(error as Error).message})`)
  }
}

function parseHeader(name: string): string {
  try {
    validateHeaderName(name)
  } catch {
    throw new Refusal(`--upstream-real-ip-header is "${name}": the name of a header is needed, such as X-Real-IP`)
  }
  if (takenHeaders.test(name)) throw new Refusal(`--upstream-real-ip-header ${name} is a header that has another use`)
  return name
}
