import { AppError } from '@qd/core/errors'
import { isSafeAddress, SignInKind } from '@qd/core/resources'
import * as oauth from 'oauth4webapi'
import type { SignInProviderRow } from '../store/records/rows.ts'

export const callbackPath = '/api/v1/oauth2/callback'
const limits = { timeoutMs: 8000, bytes: 1_000_000 }

export interface Secrets {
  verifier: string
  nonce: string
}

export interface Providers {
  addressOf(provider: SignInProviderRow, state: string): Promise<{ redirect: string; secrets: Secrets }>
  /** The user's ID at the provider. Errors: `oauthRefused` if the provider refused the person or the code, `oauthProvider` for any other fault. */
  identify(
    provider: SignInProviderRow,
    came: { query: URLSearchParams; state: string; secrets: Secrets },
  ): Promise<string>
}

/** How long the discovery document is cached: a visitor can ask for it any number of times. */
const keptMs = 10 * 60_000

/** `site` is the console's hostname; empty until it is confirmed. */
export function createProviders({
  site = () => '',
  fetch = globalThis.fetch,
  timeoutMs = limits.timeoutMs,
  now = () => performance.now(),
}: {
  site?(): string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
  now?(): number
} = {}): Providers {
  const discovered = new Map<string, { until: number; server: Promise<oauth.AuthorizationServer> }>()

  const options = (provider: SignInProviderRow) => ({
    [oauth.customFetch]: (url: string, init: Sent) => limited(fetch, url, init),
    [oauth.allowInsecureRequests]: provider.base_url.startsWith('http:'),
    signal: () => AbortSignal.timeout(timeoutMs),
  })

  async function serverOf(provider: SignInProviderRow): Promise<oauth.AuthorizationServer> {
    if (!isSafeAddress(provider.base_url)) throw new Error('its address must start with https://')
    const base = provider.base_url.replace(/\/+$/, '')
    if (provider.kind === SignInKind.github) {
      const paths = {
        authorization_endpoint: `${base}/login/oauth/authorize`,
        token_endpoint: `${base}/login/oauth/access_token`,
      }
      return { issuer: base, ...paths }
    }
    // Some issuers end in a slash: what was typed counts.
    const issuer = new URL(provider.base_url)
    const known = discovered.get(issuer.href)
    if (known && known.until > now()) return known.server
    const server = oauth
      .discoveryRequest(issuer, options(provider))
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    discovered.set(issuer.href, { until: now() + keptMs, server })
    server.catch(() => discovered.delete(issuer.href))
    return server
  }

  async function idOf(provider: SignInProviderRow, came: Parameters<Providers['identify']>[1]): Promise<string> {
    const server = await serverOf(provider)
    const client: oauth.Client = { client_id: provider.client_id }
    const params = oauth.validateAuthResponse(server, client, came.query, came.state)
    const isBasic =
      server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ??
      provider.kind !== SignInKind.github
    const proof = (isBasic ? oauth.ClientSecretBasic : oauth.ClientSecretPost)(provider.client_secret)
    const { verifier, nonce } = came.secrets
    const to = redirectOf(provider)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      params,
      to,
      verifier,
      options(provider),
    )
    if (provider.kind === SignInKind.github) {
      const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
      return githubId(provider, access_token)
    }
    const expected = { expectedNonce: nonce, requireIdToken: true }
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
    return String(oauth.getValidatedIdTokenClaims(result)?.sub ?? '')
  }

  async function githubId(provider: SignInProviderRow, token: string): Promise<string> {
    const base = provider.base_url.replace(/\/+$/, '')
    const url = new URL(base === 'https://github.com' ? 'https://api.github.com/user' : `${base}/api/v3/user`)
    const response = await oauth.protectedResourceRequest(token, 'GET', url, undefined, null, options(provider))
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { id } = (await response.json()) as { id?: unknown }
    return typeof id === 'number' ? String(id) : ''
  }

  /** Never from the host that a request claims (behaviour S-46). */
  function redirectOf(provider: SignInProviderRow): string {
    const host = site()
    const own = provider.site_url || (host === '' ? '' : `https://${host}`)
    return own === ''
      ? failed(provider, new Error('the address of this console is not set'))
      : `${own.replace(/\/+$/, '')}${callbackPath}`
  }

  return {
    async addressOf(provider, state) {
      const verifier = oauth.generateRandomCodeVerifier()
      const nonce = oauth.generateRandomNonce()
      const server = await serverOf(provider).catch((error: unknown) => failed(provider, error))
      const isGitHub = provider.kind === SignInKind.github
      const url = new URL(server.authorization_endpoint ?? failed(provider, new Error('no authorization endpoint')))
      if (!isSafeAddress(url.href)) failed(provider, new Error('its sign-in page is not on https://'))
      const query = {
        client_id: provider.client_id,
        redirect_uri: redirectOf(provider),
        response_type: 'code',
        scope: isGitHub ? 'read:user' : 'openid',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(!isGitHub && { nonce }),
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return { redirect: url.href, secrets: { verifier, nonce } }
    },
    async identify(provider, came) {
      const id = await idOf(provider, came).catch((error: unknown) => failed(provider, error))
      // An empty ID would be shared by everybody (contract http-api 11).
      return id === '' ? failed(provider, new Error('no user id')) : id
    },
  }
}

function failed({ name }: SignInProviderRow, error: unknown): never {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    throw new AppError('oauthRefused', { provider: name, reason: error.error }, { cause: error })
  const { message, cause } = error as Error & { cause?: { code?: string } }
  const reason = String((cause as { code?: string } | undefined)?.code ?? message).slice(0, 200)
  throw new AppError('oauthProvider', { provider: name, reason }, { cause: error })
}

type Sent = oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>

async function limited(fetch: typeof globalThis.fetch, url: string, { body, ...init }: Sent): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    redirect: 'manual',
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > limits.bytes) throw new Error('the answer is too long')
    parts.push(part)
  }
  const { status, headers } = response
  const hasBody = status !== 204 && status !== 304
  return new Response(hasBody ? Buffer.concat(parts) : null, { status, headers })
}
