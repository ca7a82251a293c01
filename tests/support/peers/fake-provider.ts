import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** How a made-up provider behaves. */
export type Mood = 'good' | 'nonsense' | 'error' | 'silent' | 'no-id' | 'other-nonce'

/** A provider of OpenID Connect that does as it is told. Everybody there is `person`. */
export interface FakeProvider {
  readonly url: string
  mood: Mood
  person: string
  /** What was asked at the token endpoint, newest last. */
  readonly asked: URLSearchParams[]
  /** Answers the address that a browser was sent to: the address that it is sent back to. */
  agree(redirect: string): string
  close(): Promise<void>
}

/** Starts one on a free port. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const nonces = new Map<string, string>()
  const asked: URLSearchParams[] = []
  let codes = 0
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

  async function token(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const part of request) text += part
    const form = new URLSearchParams(text)
    asked.push(form)
    const code = form.get('code') ?? ''
    const nonce = nonces.get(code)
    nonces.delete(code)
    if (nonce === undefined) return json(response, 400, { error: 'invalid_grant' })
    const id = await new SignJWT({ nonce: provider.mood === 'other-nonce' ? 'other' : nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(provider.url)
      .setAudience('qd')
      .setSubject(provider.mood === 'no-id' ? '' : provider.person)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return json(response, 200, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: id })
  }

  const server = createServer((request, response) => {
    const { mood, url } = provider
    if (mood === 'silent') return
    if (mood === 'error') return void json(response, 500, { error: 'broken' })
    if (mood === 'nonsense') return void response.end('<html>nothing of the kind')
    if (request.url === '/.well-known/openid-configuration')
      return void json(response, 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (request.url === '/token') return void token(request, response)
    void exportJWK(publicKey).then((key) => json(response, 200, { keys: [{ ...key, kid: 'k' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'good',
    person: 'kim-there',
    asked,
    agree(redirect) {
      const { searchParams } = new URL(redirect)
      codes += 1
      nonces.set(`code-${codes}`, searchParams.get('nonce') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', `code-${codes}`)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return back.href
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return provider
}
