import { AppError, toAppError } from '@qd/core/errors'
import { cookieOf } from '../../access/cookies.ts'
import { signIns } from '../../access/firewall.ts'
import { isWrongCode } from '../../access/second-factor.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import type { Binding } from '../../store/records/bindings.ts'
import type { Also } from '../../store/records/commit.ts'
import type { Container } from '../container.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { type Reader, readerOf } from '../http/reader.ts'
import { type HttpContext, readBody } from '../http/request.ts'
import type { createSessionRoutes } from './session.ts'

const browserCookie = 'nz-o2s'
const cookieSeconds = 600

type Parts = Pick<
  Container,
  'accounts' | 'audit' | 'bindings' | 'clients' | 'firewall' | 'oauth2' | 'signInProviders' | 'stepUp'
> & {
  sessionRoutes: Pick<ReturnType<typeof createSessionRoutes>, 'begin'>
}

export function createOAuth2Routes({
  accounts,
  audit,
  bindings,
  clients,
  firewall,
  oauth2,
  signInProviders,
  stepUp,
  sessionRoutes,
}: Parts) {
  const cookie = ({ env }: HttpContext, value: string, seconds: number) =>
    `${browserCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${clients.isSecure(env.incoming) ? '; Secure' : ''}`

  const bound =
    (caller: Caller): Also<Binding> =>
    (db) =>
      audit.write(db, { caller, action: 'account bind', result: 'ok' })

  /** The target is never read from the request. */
  function back(context: HttpContext, place: 'login' | 'profile', query: Readonly<Record<string, string>>): Response {
    const location = `/dashboard/${place}?${new URLSearchParams(query)}`
    const response = new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } })
    if (query.oauth2 !== 'codeRequired') response.headers.append('Set-Cookie', cookie(context, '', 0))
    return response
  }

  return {
    async begin(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      const name = context.req.param('provider') ?? ''
      const provider = signInProviders.all().find((one) => one.enabled && one.name === name)
      if (!provider) throw new AppError('notFound', { resource: 'sign-in-provider', id: 0, text: texts.noProvider })
      const mode = context.req.query('type') === '2' ? 'bind' : 'sign-in'
      if (mode === 'bind') {
        if (caller.session === null) throw new AppError('unauthorized')
        stepUp.demand(caller)
      }
      const paste = context.req.query('paste') === '1'
      const { redirect, browser } = await oauth2.begin({ provider, mode, paste, caller })
      const response = ok(envelope(dataText({ redirect })))
      response.headers.append('Set-Cookie', cookie(context, browser, cookieSeconds))
      return response
    },
    async callback(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      const { incoming } = context.env
      const query = new URL(incoming.url ?? '/', 'http://here').searchParams
      try {
        const done = await oauth2.finish(query, cookieOf(incoming, browserCookie), caller, bound(caller))
        if (done.kind === 'paste') return pastePage(await readerOf(incoming.headers['accept-language']), done.text)
        if (done.kind === 'bound') return back(context, 'profile', { oauth2: 'true' })
        if (done.kind === 'code') return back(context, 'login', { oauth2: 'codeRequired' })
        const response = back(context, 'login', { oauth2: 'true' })
        for (const line of (await sessionRoutes.begin(context, done.user)).lines)
          response.headers.append('Set-Cookie', line)
        return response
      } catch (thrown) {
        const { code, params } = toAppError(thrown)
        if (code === 'internal') throw thrown
        audit.record({ caller, action: 'sign-in', target: String(params.provider ?? ''), result: 'refused' })
        const about = { oauth2: code, provider: String(params.provider ?? ''), reason: String(params.reason ?? '') }
        return back(context, params.mode === 'bind' ? 'profile' : 'login', about)
      }
    },
    async unbind(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      const name = (context.req.param('provider') ?? '').toLowerCase()
      const provider = signInProviders.all().find((one) => one.name.toLowerCase() === name)
      if (!provider) throw new AppError('notFound', { resource: 'sign-in-provider', id: 0, text: texts.noProvider })
      const user = accounts.find(caller.viewer.id ?? 0)
      if (!user) throw new AppError('unauthorized')
      const left = bindings.waysIn(user.id).filter(({ provider_id }) => provider_id !== provider.id)
      // Without a password this would be the last way in.
      if (user.reject_password && left.length === 0)
        throw new AppError('blocked', { reason: 'lastWay', text: texts.notPermitted })
      await bindings.unbind(user.id, provider.id, (db) =>
        audit.write(db, { caller, action: 'account unbind', target: provider.name, result: 'ok' }),
      )
      return ok(envelope(null))
    },
    async claim(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      const { paste, code } = ((await readBody(context)) ?? {}) as { paste?: unknown; code?: unknown }
      const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
      const from = { paste: text(paste), code: text(code), browser: cookieOf(context.env.incoming, browserCookie) }
      const { user, mode, recoveryLeft } = await oauth2.claim(from, caller, bound(caller)).catch((error: unknown) => {
        if (isWrongCode(error)) firewall.failed(caller.address, signIns.unknownUser, signIns.reason)
        throw error
      })
      if (mode === 'bind') return ok(envelope(null))
      const { answer, lines } = await sessionRoutes.begin(context, user, recoveryLeft)
      for (const line of [...lines, cookie(context, '', 0)]) answer.headers.append('Set-Cookie', line)
      return answer
    },
  }
}

/** Shows the text to paste back; it holds no markup. */
function pastePage({ language, t }: Reader, text: string): Response {
  const title = t('ui.pastePage.title')
  const body = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Quarterdeck</title>
<body style="font:16px/1.5 system-ui;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark"><h1 style="font-size:20px">${title}</h1>
<p><code style="font-size:24px">${text}</code></p>
<p>${t('ui.pastePage.text', { program: '<code>qd</code>' })}</p>`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  }
  return new Response(body, { headers })
}
