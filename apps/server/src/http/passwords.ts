import { hash, verify } from '@node-rs/argon2'

/** OWASP's second choice for argon2id: 19 MiB, two rounds; about 20 ms on a thread of the pool, never on the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** An argon2id hash to store. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

const decoy = hashPassword('a password that nobody has')

/** True when the password belongs to the hash. Without a hash (unknown user) it takes as long and is false (S-01). */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await decoy), password).catch(() => false)
  return matches && stored !== null
}
