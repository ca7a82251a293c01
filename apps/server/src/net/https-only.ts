import type { RequestListener } from 'node:http'
import { apiHeaders } from '../http/headers.ts'
import { texts } from '../texts.ts'

/** Answers cleartext HTTP on a port with TLS: what is read is sent to its https address, anything else is refused. */
export const sendToHttps: RequestListener = ({ method, url = '', headers: { host } }, response) => {
  const isRead = (method === 'GET' || method === 'HEAD') && host !== undefined && url.startsWith('/')
  if (isRead) response.writeHead(308, { ...apiHeaders, Location: `https://${host}${url}`, Connection: 'close' }).end()
  else {
    response
      .writeHead(400, { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
      .end(JSON.stringify({ error: texts.httpsOnly }))
  }
}
