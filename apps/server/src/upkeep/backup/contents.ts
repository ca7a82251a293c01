import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../kernel/refusal.ts'
import { databaseFile } from '../../store/db/sqlite.ts'

/** File of a backup that says what it holds. */
export const contentsFile = 'backup.json'

/** The history of a data folder; there is none before the first half minute. */
export const historyFile = 'history.db'

/** What a backup may hold; the database is always there. `agent.json`: who this machine's own agent is. */
export const keptFiles = [databaseFile, historyFile, 'agent.json'] as const

/** What a backup holds. */
export interface Contents {
  /** Version of Quarterdeck that made it. */
  version: string
  /** When, RFC 3339. */
  at: string
  files: { name: (typeof keptFiles)[number]; bytes: number; sha256: string }[]
}

function isContents(value: unknown): value is Contents {
  const { version, at, files } = (value ?? {}) as Partial<Record<keyof Contents, unknown>>
  return typeof version === 'string' && typeof at === 'string' && Array.isArray(files) && files.every(isFile)
}

function isFile(value: unknown): boolean {
  const { name, bytes, sha256 } = (value ?? {}) as Record<string, unknown>
  // Another name could lead out of the folder.
  return keptFiles.some((one) => one === name) && Number.isInteger(bytes) && /^[0-9a-f]{64}$/.test(String(sha256))
}

/** Reads what a backup holds. Errors: Refusal where the folder is none, or its list is damaged. */
export function readContents(folder: string): Contents {
  let text: string
  try {
    text = readFileSync(join(folder, contentsFile), 'utf8')
  } catch (error) {
    throw new Refusal(`${folder} is not a backup: ${(error as Error).message}`, { cause: error })
  }
  const found = parsed(text)
  if (!isContents(found) || !found.files.some(({ name }) => name === databaseFile))
    throw new Refusal(`${join(folder, contentsFile)} is damaged; use another backup`)
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** SHA-256 of a file, hex. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** e.g. `12.3 MiB`. */
export const sizeOf = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
