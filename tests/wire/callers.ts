import { createHmac } from 'node:crypto'
import type { World } from '../support/world.ts'

/** Cookie values of one caller. */
export interface Jar {
  jwt: string
  csrf: string
}

/** Who the recordings are told as; `pat` is a script with an API token. */
export type CallerName = 'guest' | 'admin' | 'member' | 'member2' | 'pat'

/** Users of the recordings besides the administrator, in the order of their ids. */
export const users = [
  { caller: 'member', username: 'alice', password: 'alice-pass-1' },
  { caller: 'member2', username: 'bob', password: 'bobbob' },
] as const

/** Signs a caller in and answers its cookies. */
export async function signIn(world: World, user: { username: string; password: string }): Promise<Jar> {
  const browser = await world.login(user)
  return { jwt: browser.cookies.get('nz-jwt') ?? '', csrf: browser.cookies.get('nz-csrf') ?? '' }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>

/** A token with claims and header of a test's choice, signed with the server's own key. */
export async function forge(
  world: World,
  jwt: string,
  changes: { claims?: Record<string, unknown>; header?: Record<string, unknown>; key?: string },
): Promise<string> {
  const { db } = world.server.container
  const { value } = await db
    .selectFrom('secrets')
    .select('value')
    .where('key', '=', 'signing-key')
    .executeTakeFirstOrThrow()
  const head = encode({ alg: 'HS256', typ: 'JWT', ...changes.header })
  const body = `${head}.${encode({ ...claimsOf(jwt), ...changes.claims })}`
  return `${body}.${createHmac('sha256', changes.key ?? value)
    .update(body)
    .digest('base64url')}`
}
