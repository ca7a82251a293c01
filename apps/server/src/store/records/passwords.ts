import { Refusal } from '../../kernel/refusal.ts'

/** OWASP's second choice for argon2id: 19 MiB, two rounds; about 20 ms on a thread of the pool, never on the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Errors: Refusal naming what to install. */
async function loadArgon2() {
  try {
    return await import('@node-rs/argon2')
  } catch (error) {
    throw new Refusal(
      'cannot load the password hashing @node-rs/argon2; run "npm ci" on this machine, without --omit=optional',
      { cause: error },
    )
  }
}

/** An argon2id hash to store. */
export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(password, cost)
}

let decoy: Promise<string> | undefined

/** Awaited before anything else needs a password. Errors: Refusal where this machine cannot hash one. */
export async function preparePasswords(): Promise<void> {
  decoy ??= hashPassword('a password that is never used')
  await decoy
}

/** True when the password belongs to the hash. Without a hash (unknown user) it takes as long and is false (S-01). */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  await preparePasswords()
  const { verify } = await loadArgon2()
  const matches = await verify(stored ?? (await decoy!), password).catch(() => false)
  return matches && stored !== null
}
