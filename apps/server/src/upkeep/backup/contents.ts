import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../kernel/errors.ts'
import { jsonOf } from '../../kernel/json.ts'
import { databaseFile } from '../../store/db/sqlite.ts'

export const contentsFile = 'backup.json'

/** Missing in the first half minute of a new data folder. */
export const historyFile = 'history.db'

/** The identity of the host's own agent. */
export const agentFile = 'agent.json'

/** The database is always there. */
export const keptFiles = [databaseFile, historyFile, agentFile] as const

export interface Contents {
  version: string
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

export function readContents(folder: string): Contents {
  let text: string
  try {
    text = readFileSync(join(folder, contentsFile), 'utf8')
  } catch (error) {
    throw new Refusal(`${folder} is not a backup: ${(error as Error).message}`, { cause: error })
  }
  const found = jsonOf(text)
  if (!isContents(found) || !found.files.some(({ name }) => name === databaseFile))
    throw new Refusal(`${join(folder, contentsFile)} is damaged; use another backup`)
  return found
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export const sizeOf = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
