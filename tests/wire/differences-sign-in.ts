import type { Difference } from './difference.ts'
import { deadToken } from './reasons.ts'

/** How ours differs in signing in. */
export const signIn: readonly Difference[] = [
  {
    file: 'auth',
    step: 'login: form with Go field names',
    error: 'ApiErrorUnauthorized',
    why: 'JSON only (http-api 11)',
  },
  {
    file: 'auth',
    step: 'login: no content type, Go names in query string',
    error: 'ApiErrorUnauthorized',
    why: 'credentials never in the address',
  },
  {
    file: 'csrf',
    step: 'pair of another login (not bound to the session)',
    status: 403,
    error: 'ApiErrorForbidden: missing or invalid CSRF token',
    why: 'the pair is bound to the session (decisions.md)',
    instead: { name: 'csrf-c', servers: [] },
  },
  {
    file: 'csrf',
    step: 'JWT in query, no CSRF pair',
    status: 200,
    error: 'ApiErrorUnauthorized',
    why: 'a token in the query is refused everywhere (S-09)',
  },
  {
    file: 'auth-transport',
    step: 'query token',
    error: 'ApiErrorUnauthorized',
    why: 'a token in the query is refused everywhere (S-09)',
  },
  {
    file: 'auth-transport',
    step: 'valid signature, unknown keyId: /setting',
    status: 200,
    success: true,
    at: [/^headers\./, /^body/],
    why: deadToken,
  },
  {
    file: 'auth-transport',
    step: 'valid signature, unknown keyId: optional endpoint',
    status: 200,
    success: true,
    at: [/^headers\./, /^body/],
    why: deadToken,
  },
  {
    file: 'auth-transport',
    step: 'bad uid on optional',
    status: 200,
    success: true,
    at: [/^headers\./, /^body/],
    why: deadToken,
  },
  {
    file: 'auth-refresh',
    step: 'orig_iat older than the window',
    success: true,
    at: [/^headers\./],
    why: 'the stored session decides how long a sign-in lasts',
  },
  {
    file: 'profile',
    step: 'update ok (name and password)',
    at: [/^headers\.set-cookie/],
    why: 'the session that changes them goes on with a new cookie',
  },
  {
    file: 'profile',
    step: 'after the change: strict endpoint with the old cookie',
    success: true,
    at: [/^headers\./],
    why: 'new credentials end the other sessions (decisions.md)',
  },
  {
    file: 'profile',
    step: 'after the change: /setting with the old cookie gives the block page',
    status: 200,
    success: true,
    at: [/^headers\./, /^body/],
    why: deadToken,
  },
  {
    file: 'profile',
    step: 'update with only the original password: empties name and password',
    error: /new_username is required/,
    why: 'never an empty name or password (S-12)',
    instead: { original_password: 'alice-pass-2', new_username: 'alice', new_password: 'alice-pass-1' },
  },
]
