import type { World } from '../support/world.ts'
import { forge, type Jar, signIn, users } from './callers.ts'

/** A second sign-in of the member, from before the credentials changed. */
let second: Jar = { jwt: '', csrf: '' }

/** Credentials that are not simply those of the caller, by what the step's name says of them. */
export async function tokenFor(
  file: string,
  step: string,
  { world, own }: { world: World; own: Jar },
): Promise<Partial<Jar>> {
  if (step.startsWith('update ok')) second = await signIn(world, users[0])
  if (step.startsWith('after the change: other session')) return second
  const signed = (changes: Parameters<typeof forge>[2]) => forge(world, own.jwt, changes)
  if (/(^|: )dead session/.test(step)) return { jwt: await signed({ claims: { keyId: 'y'.repeat(32) } }) }
  if (step.startsWith('expired token') || step.startsWith('expired JWT'))
    return { jwt: await signed({ claims: { exp: 1_700_000_000 } }) }
  if (step === 'bad signature') return { jwt: await signed({ key: 'another key' }) }
  if (step === 'alg none') return { jwt: (await signed({ header: { alg: 'none' } })).replace(/[^.]+$/, '') }
  if (step === 'no exp claim') return { jwt: await signed({ claims: { exp: undefined } }) }
  if (step.startsWith('valid signature, unknown keyId'))
    return { jwt: await signed({ claims: { keyId: 'x'.repeat(32) } }) }
  if (step.startsWith('bad uid')) return { jwt: await signed({ claims: { uid: 'nobody' } }) }
  if (step.startsWith('orig_iat older')) return { jwt: await signed({ claims: { orig_iat: 1_700_000_000 } }) }
  if (step.startsWith('pair of another login'))
    return { csrf: (await signIn(world, { username: 'admin', password: 'admin' })).csrf }
  if (file === 'csrf' && step.startsWith('stale nz-csrf')) return { csrf: `${'0'.repeat(64)}.${'0'.repeat(64)}` }
  return {}
}

/** The API token of a step, by what its name says of it; they were made in this order. */
export function patFor(step: string, pats: readonly string[]): string {
  const [everything = '', readOnly = '', , , deleted = ''] = pats
  if (step === 'deleted token no longer works') return deleted
  return /missing|PAT wins/.test(step) && !step.includes('PAT on') ? readOnly : everything
}

/** An API token of the administrator with these scopes. */
export async function allow(world: World, scopes: readonly string[]): Promise<string> {
  const browser = await world.login({ username: 'admin', password: 'admin' })
  const { token } = (await browser.api('POST', 'api-tokens', { name: 'all', scopes })) as { token: string }
  return token
}

/** One that may do everything. */
export const allowEverything = (world: World) => allow(world, ['nezha:*'])
