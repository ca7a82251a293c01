import { X509Certificate } from 'node:crypto'
import { validateHeaderName } from 'node:http'
import { Refusal } from './errors.ts'

export interface Upstream {
  /** With the dashboard's base path, without a trailing slash. */
  url: URL
  /** Additional CA certificates, PEM. */
  ca: string | null
  host: string
  /** Header for the client's address; null: not sent. */
  realIpHeader: string | null
}

interface UpstreamTexts {
  url: string
  ca: string | undefined
  host: string | undefined
  realIpHeader: string | undefined
  readFile(path: string): string
}

/** Set by the gateway itself, or part of message framing. */
const takenHeaders =
  /^(host|connection|content-.*|transfer-encoding|upgrade|cookie|authorization|origin|te|trailer|expect|sec-.*|x-csrf-token)$/i

/** Errors: Refusal. */
export function parseUpstream({ url: text, ca, host, realIpHeader, readFile }: UpstreamTexts): Upstream {
  const url = parseUrl(text)
  if (host !== undefined && !/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host))
    throw new Refusal(`--upstream-host must be a hostname, with the port if it is not the default, not ${host}`)
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
    throw new Refusal(`--upstream must be the URL of a dashboard, such as https://monitor.example.org, not ${text}`)
  if (url.username !== '' || url.password !== '')
    throw new Refusal('--upstream contains a username or password; remove it. Users sign in on the page')
  // Users copy the URL of the open page.
  const path = url.pathname.replace(/\/(dashboard|api\/v1)(\/.*)?$/, '').replace(/\/+$/, '')
  return new URL(url.origin + path)
}

function parseCertificates(file: string, pem: string): string {
  try {
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new Refusal(`--upstream-ca ${file} is not a PEM certificate (${(error as Error).message})`)
  }
}

function parseHeader(name: string): string {
  try {
    validateHeaderName(name)
  } catch {
    throw new Refusal(`--upstream-real-ip-header must be a header name, such as X-Real-IP, not ${name}`)
  }
  if (takenHeaders.test(name))
    throw new Refusal(`--upstream-real-ip-header cannot be ${name}: that header has another use`)
  return name
}
