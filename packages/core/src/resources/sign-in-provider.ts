import * as z from 'zod'
import { defineResource, lazy, namedOptions } from '../define/index.ts'
import { common, commonKinds, owner, ownerKind } from '../schemas/index.ts'
import { switchActions } from './switching.ts'

export const SignInKind = namedOptions('oidc', 'github')

const address = lazy(() =>
  z
    .string()
    .trim()
    .max(2048)
    .refine((url) => /^https?:\/\/[^\s/?#]+[^\s?#]*$/i.test(url), { params: { code: 'notUrl' } }),
)

/** Only HTTPS, or this machine. */
export function isSafeAddress(text: string): boolean {
  try {
    // Parse it like a request: text before an @ is no host.
    const { protocol, hostname } = new URL(text)
    const isOwn = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
    return protocol === 'https:' || (protocol === 'http:' && isOwn)
  } catch {
    return false
  }
}

const input = lazy(() =>
  z.strictObject({
    // Appears in URLs and on the button; `callback` is reserved (contract http-api 3.3).
    name: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .refine((name) => /^[A-Za-z0-9][\w.-]*$/.test(name) && name.toLowerCase() !== 'callback', {
        params: { code: 'wrong' },
      }),
    kind: z.enum(SignInKind),
    base_url: address().refine(isSafeAddress, { params: { code: 'notHttps' } }),
    client_id: z.string().trim().min(1).max(512),
    client_secret: z.string().max(2048),
    // Empty: the console’s address in the settings.
    site_url: z.union([z.literal(''), address()]),
    enabled: z.boolean(),
  }),
)

const added = lazy(() => ({ ...common, owner, has_secret: z.boolean() }))

export const signInProvider = defineResource({
  name: 'sign-in-provider',
  icon: 'key',
  path: '/dashboard/settings/sign-in-provider',
  place: 'menu',
  family: 'setting',
  aliases: ['oauth2', 'oidc', 'openid connect', 'sso', 'github', 'gitlab', 'gitea'],
  input,
  added,
  initial: { kind: SignInKind.oidc, enabled: true },
  presets: {
    github: { name: 'GitHub', kind: SignInKind.github, base_url: 'https://github.com' },
    gitlab: { name: 'GitLab', kind: SignInKind.oidc, base_url: 'https://gitlab.com' },
    gitea: { name: 'Gitea', kind: SignInKind.oidc, base_url: 'https://gitea.com/' },
    oidc: { name: 'SSO', kind: SignInKind.oidc, base_url: 'https://' },
  },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always', help: true },
    kind: { kind: 'choice', options: SignInKind },
    base_url: { kind: 'address', wide: true, help: true, short: true },
    client_id: { kind: 'text', show: 'wide' },
    client_secret: { kind: 'secret', needed: true, has: 'has_secret' },
    has_secret: { kind: 'flag', hidden: true },
    site_url: { kind: 'address', show: 'wide', wide: true, help: true, short: true },
    enabled: { kind: 'flag', aliases: ['on'], switch: { on: 'enable', off: 'disable' } },
    owner: ownerKind,
  },
  columns: ['name', 'kind', 'base_url', 'enabled', 'client_id', 'site_url'],
  form: {
    provider: ['name', 'kind', 'base_url'],
    client: ['client_id', 'client_secret'],
    site: ['site_url', 'enabled'],
  },
  scopes: { read: 'nezha:admin:*', write: 'nezha:admin:*', remove: 'nezha:admin:*' },
  audience: { read: 'admin', write: 'admin' },
  requires: 'sign-in-providers',
  needsSession: true,
  stepUp: ['create', 'edit', 'delete'],
  actions: switchActions({ path: 'sign-in-provider', field: 'enabled', scope: 'nezha:admin:*', input, stepUp: true }),
})
