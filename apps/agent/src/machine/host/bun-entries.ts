import { lstat, readdir } from 'node:fs/promises'
import { sep } from 'node:path'

export interface Entry {
  bytes: Buffer
  isFolder: boolean
}

/** Replaces invalid UTF-8. */
const replacement = '\ufffd'

/** Bun returns kinds only with names as text. Ambiguous entries are examined in order: all at once could exhaust memory and threads. */
export const entriesOnBun = async (
  path: Buffer,
  files: { readdir: typeof readdir; lstat(path: Buffer): Promise<{ isDirectory(): boolean }> } = { readdir, lstat },
): Promise<Entry[]> => {
  const kinds = new Map<string, boolean>()
  for (const entry of await files.readdir(path, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()) kinds.set(entry.name, entry.isDirectory())
  const found: Entry[] = []
  for (const bytes of await files.readdir(path, 'buffer')) {
    const name = bytes.toString()
    const known = name.includes(replacement) ? undefined : kinds.get(name)
    found.push({ bytes, isFolder: known ?? (await isFolder(bytes)) })
  }
  return found

  async function isFolder(bytes: Buffer): Promise<boolean> {
    try {
      const stats = await files.lstat(Buffer.concat([path, Buffer.from(sep), bytes]))
      return stats.isDirectory()
    } catch {
      return false
    }
  }
}
