import { createHmac } from 'node:crypto'
import type { Random } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomText(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < letters.length * 4 && text.length < length) text += letters[byte % letters.length]
    }
  }
  return text
}

export async function keptSecret(db: Db, key: string, make: () => string): Promise<string> {
  const found = await db.selectFrom('secrets').select('value').where('key', '=', key).executeTakeFirst()
  if (found) return found.value
  const value = make()
  await db.insertInto('secrets').values({ key, value }).execute()
  return value
}

/** Derives letters and digits from key and label, which it doesn't reveal; at most 60. */
export function derivedText(key: string, label: string, length: number): string {
  const digest = createHmac('sha512', key).update(label).digest()
  const even = [...digest].filter((byte) => byte < letters.length * 4)
  return even
    .slice(0, length)
    .map((byte) => letters[byte % letters.length])
    .join('')
}
