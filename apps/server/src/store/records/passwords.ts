import { Refusal } from '../../kernel/errors.ts'

/** OWASP's second choice for argon2id: 19 MiB, two rounds; about 20 ms in the thread pool. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

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

export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(password, cost)
}

let decoy: Promise<string> | undefined

/** Errors: Refusal if this host can't hash passwords. */
export async function preparePasswords(): Promise<void> {
  decoy ??= hashPassword('a password that is never used')
  await decoy
}

/** Takes as long for an unknown user (null) as for a wrong password (S-01). */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  await preparePasswords()
  const { verify } = await loadArgon2()
  const matches = await verify(stored ?? (await decoy!), password).catch(() => false)
  return matches && stored !== null
}
