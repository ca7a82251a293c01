import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { databaseFile } from '../db/sqlite.ts'
import { Refusal } from '../refusal.ts'

/** File of a backup that says what it holds. */
export const contentsFile = 'backup.json'

/** The history of a data folder; there is none before the first half minute. */
export const historyFile = 'history.db'

/** What a backup may hold; the database is always there. `agent.json`: who this machine's own agent is. */
export const keptFiles = [databaseFile, historyFile, 'agent.json'] as const

const contents = z.strictObject({
  /** Version of Quarterdeck that made it. */
  version: z.string(),
  /** When, RFC 3339. */
  at: z.string(),
  files: z.array(
    z.strictObject({ name: z.enum(keptFiles), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
})

/** What a backup holds. */
export type Contents = z.output<typeof contents>

/** Reads what a backup holds. Errors: Refusal where the folder is none, or its list is damaged. */
export function readContents(folder: string): Contents {
  let text: string
  try {
    text = readFileSync(join(folder, contentsFile), 'utf8')
  } catch (error) {
    throw new Refusal(`${folder} is no backup: ${(error as Error).message}`, { cause: error })
  }
  try {
    const found = contents.parse(JSON.parse(text))
    if (found.files.some(({ name }) => name === databaseFile)) return found
  } catch (error) {
    throw new Refusal(`${join(folder, contentsFile)} is damaged: use another backup`, { cause: error })
  }
  throw new Refusal(`${join(folder, contentsFile)} names no ${databaseFile}: use another backup`)
}

/** SHA-256 of a file, hex. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** e.g. `12.3 MiB`. */
export const sizeOf = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
