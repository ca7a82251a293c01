import { Role } from '@qd/core/define'
import type { Random } from '../kernel/ports.ts'
import type { MutableAccounts } from '../store/records/accounts.ts'
import { randomText } from '../store/records/secrets.ts'

/** Makes the first user of an empty install, with this password or one that is made up. Returns the password where there was nobody (S-15). */
export async function firstUser(
  accounts: MutableAccounts,
  wanted: string | null,
  random: Random,
): Promise<string | null> {
  if (accounts.count() > 0) return null
  const password = wanted ?? randomText(random, 20)
  await accounts.create({ username: 'admin', password, role: Role.admin })
  return password
}
