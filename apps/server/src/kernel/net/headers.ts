/** Of every response (S-22). */
export const commonHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()',
}

export const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const

export const apiHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Own files, inline styles and scripts with the nonce, and images from `pictures` (an origin). */
export function pagePolicy(nonce: string, pictures = ''): string {
  return policy({
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': `'self' data: ${pictures}`.trim(),
    'font-src': "'self'",
    'connect-src': "'self'",
  })
}

/** For a page with an administrator's code (contract engines 12.5), which may load anything over HTTPS; injected markup has no nonce and runs nothing. */
export function customPagePolicy(nonce: string): string {
  return policy({
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    'style-src': `'self' 'nonce-${nonce}' https:`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: https:",
    'font-src': "'self' data: https:",
    'connect-src': "'self' https: wss:",
    'media-src': 'https:',
    'frame-src': 'https:',
  })
}

function policy(allowed: Readonly<Record<string, string>>): string {
  const all = {
    'default-src': "'none'",
    ...allowed,
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(all)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
