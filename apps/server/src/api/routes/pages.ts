import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { languages } from '@qd/core/i18n'
import { resources } from '@qd/core/resources'
import { sessionCookieOf } from '../../access/cookies.ts'
import { commonHeaders, customPagePolicy, pagePolicy } from '../../kernel/net/headers.ts'
import type { Random } from '../../kernel/ports.ts'
import type { HttpContext } from '../http/request.ts'
import { type AskApi, firstAnswersOf } from './first-answers.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** Precompressed copies, best first. */
const packings = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const

const screens = [
  'login',
  'profile',
  'settings',
  'settings/user',
  'settings/online-user',
  'settings/waf',
  'settings/api-tokens',
  'service',
  'notification',
  'alert-rule',
  'ddns',
  'nat',
  'notification-group',
  'transfer',
  'terminal/:id',
  'server/:number',
  'files/:id',
]

const knownPages: readonly RegExp[] = [
  /^\/$/,
  /^\/server\/\d*$/,
  /^\/wall$/,
  /^\/dashboard\/$/,
  ...resources.flatMap(({ path }) => [path, `${path}/:number`]).map(pattern),
  ...screens.map((screen) => pattern(`/dashboard/${screen}`)),
]

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(':id', '[\\w-]+').replace(':number', '\\d+')}$`)
}

interface Asset {
  bytes: Buffer
  tag: string
  encoding: string | null
}

export interface PageSettings {
  readonly language: string
  readonly custom_code: string
  readonly custom_code_dashboard: string
  readonly avatar_service?: unknown
}

interface PagesParts {
  folder: string
  random: Random
  settings: { get(): PageSettings }
}

/** `ask`: null for guests. */
interface PageRequest {
  path: string
  status: 200 | 404
  accepted: string
  ask: AskApi | null
}

/** Serves the built front ends; files are cached until they change. */
export function createPages({ folder, random, settings }: PagesParts) {
  const kept = new Map<string, Asset & { stamp: string }>()

  async function readAsset(file: string, encoding: string | null): Promise<Asset | null> {
    const found = await stat(file).catch(() => null)
    if (!found?.isFile()) return null
    const stamp = `${found.size}.${found.mtimeMs}`
    const known = kept.get(file)
    if (known?.stamp === stamp) return known
    const bytes = await readFile(file)
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const asset = { bytes, tag, encoding, stamp }
    kept.set(file, asset)
    return asset
  }

  /** A file below `/dashboard/` in the best encoding; null if it isn't inside the folder. */
  async function find(path: string, accepted: string): Promise<Asset | null> {
    const file = insideOf(folder, path)
    if (file === null || !(await isInside(folder, file))) return null
    for (const { encoding, suffix } of packings) {
      const packed = accepted.includes(encoding) ? await readAsset(file + suffix, encoding) : null
      if (packed) return packed
    }
    return readAsset(file, null)
  }

  async function index({ path, status, accepted, ask }: PageRequest): Promise<Response> {
    const isConsole = path.startsWith('/dashboard')
    const own = isConsole ? await readAsset(join(folder, 'dashboard.html'), null) : null
    const page = own ?? (await readAsset(join(folder, 'index.html'), null))
    if (!page) return missing()
    const first = own && ask && path !== '/dashboard/login' ? await firstAnswersOf(path, ask) : null
    const guest = own && status === 200 && first === null ? ' data-guest' : ''
    const nonce = Buffer.from(random.bytes(16)).toString('base64')
    const { language } = settings.get()
    const html = page.bytes
      .toString('utf8')
      .replace('<html lang="en">', `<html lang="${languages.find((known) => known === language) ?? 'en'}"${guest}>`)
      .replace('<head>', `<head><meta property="csp-nonce" nonce="${nonce}">`)
      .replace('</body>', () => `${first?.markup ?? ''}</body>`)
      .replaceAll(/<(script|style|link rel="(?:module)?preload")(?=[ >])/g, `<$1 nonce="${nonce}"`)
    const headers = new Headers({
      ...commonHeaders,
      'Content-Type': types['.html']!,
      // Personal data must not be cached for the next user.
      'Cache-Control': first ? 'no-store' : 'no-cache',
      'Content-Security-Policy': hasOwnCode(path) ? customPagePolicy(nonce) : pagePolicy(nonce, pictureOrigin(path)),
      Vary: 'Accept-Encoding',
    })
    for (const cookie of first?.cookies ?? []) headers.append('Set-Cookie', cookie)
    if (!accepted.includes('br')) return new Response(html, { status, headers })
    headers.set('Content-Encoding', 'br')
    const packed = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    return new Response(packed as Uint8Array<ArrayBuffer>, { status, headers })
  }

  /** Never on the sign-in page (decisions.md "Custom code"). */
  function hasOwnCode(path: string): boolean {
    const { custom_code, custom_code_dashboard } = settings.get()
    if (!path.startsWith('/dashboard')) return custom_code !== ''
    return path !== '/dashboard/login' && custom_code_dashboard !== ''
  }

  /** Origin of avatars; also on the sign-in page, which stays open after signing in. */
  function pictureOrigin(path: string): string {
    const { avatar_service } = settings.get()
    if (!path.startsWith('/dashboard') || typeof avatar_service !== 'string' || !URL.canParse(avatar_service)) return ''
    return new URL(avatar_service).origin
  }

  return async (context: HttpContext, askApi: AskApi): Promise<Response> => {
    const [path = '/', query] = (context.env.incoming.url ?? '/').split('?')
    const accepted = context.req.header('Accept-Encoding') ?? ''
    const ask = sessionCookieOf(context.env.incoming) === null ? null : askApi
    if (path === '/dashboard')
      return new Response(null, {
        status: 301,
        headers: { ...commonHeaders, Location: query === undefined ? '/dashboard/' : `/dashboard/?${query}` },
      })
    if (knownPages.some((known) => known.test(path))) return index({ path, status: 200, accepted, ask })
    const asset = path.startsWith('/dashboard/') ? await find(path.slice('/dashboard/'.length), accepted) : null
    if (!asset || extname(path) === '.html') return index({ path, status: asset ? 200 : 404, accepted, ask: null })
    const { bytes, tag, encoding } = asset
    const hashed = path.startsWith('/dashboard/assets/')
    const headers = {
      ...commonHeaders,
      'Content-Type': types[extname(path)] ?? 'application/octet-stream',
      'Cache-Control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      ETag: tag,
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    }
    if (context.req.header('If-None-Match') === tag) return new Response(null, { status: 304, headers })
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
  }
}

function missing(): Response {
  const text = 'The console is not built yet. Run: npm run build\n'
  return new Response(text, { status: 503, headers: { ...commonHeaders, 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** Null for paths outside the folder (S-44). */
function insideOf(folder: string, path: string): string | null {
  let plain: string
  try {
    plain = decodeURIComponent(path)
  } catch {
    return null
  }
  if (/[\0\\]|%2f|%5c/i.test(plain) || /%2f|%5c/i.test(path)) return null
  const segments = plain.split('/')
  if (segments.some((segment) => segment === '' || segment.startsWith('.'))) return null
  return join(folder, ...segments)
}

async function isInside(folder: string, file: string): Promise<boolean> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(file)])
    return real.startsWith(root + sep)
  } catch {
    return false
  }
}
