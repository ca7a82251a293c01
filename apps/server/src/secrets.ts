import type { Db } from './db/schema.ts'
import type { Random } from './services.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random text of letters and digits, each equally likely. */
export function randomText(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < letters.length * 4 && text.length < length) text += letters[byte % letters.length]
    }
  }
  return text
}

/** A value of the secrets table, made on first use. */
export async function keptSecret(db: Db, key: string, make: () => string): Promise<string> {
  const found = await db.selectFrom('secrets').select('value').where('key', '=', key).executeTakeFirst()
  if (found) return found.value
  const value = make()
  await db.insertInto('secrets').values({ key, value }).execute()
  return value
}
