import type { RequestListener } from 'node:http'
import { texts } from '../texts.ts'
import { apiHeaders } from './headers.ts'

/** Paths that hosts may fetch without TLS, because agents may connect without it (routes/install.ts). None of them is secret. */
const forHosts = /^\/(install\.(sh|ps1)|agent\/[\w-]+\.\w+)(\?|$)/

/** Cleartext HTTP on a port with TLS: `http` returns what is for hosts; what else is read is sent to its https address, anything else is refused. */
export function createHttpsOnly(http: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = '', headers } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && forHosts.test(url)) http(request, response)
    else if (isRead && headers.host !== undefined && url.startsWith('/')) {
      const Location = `https://${headers.host}${url}`
      response.writeHead(308, { ...apiHeaders, Location, Connection: 'close' }).end()
    } else {
      response
        .writeHead(400, { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
        .end(JSON.stringify({ error: texts.httpsOnly }))
    }
  }
}
