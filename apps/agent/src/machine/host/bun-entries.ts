import { lstat, readdir } from 'node:fs/promises'
import { sep } from 'node:path'

/** One name in a folder. */
export interface Entry {
  bytes: Buffer
  isFolder: boolean
}

/** Stands in text for bytes that aren't UTF-8. */
const replacement = '\ufffd'

/**
 * Reads a folder on Bun, which returns kinds only with names as text. Entries whose text or kind doesn't say what they are, are asked for one
 * after the other: all at once would fill the memory and, on a dead mount, every thread.
 */
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

  /** An entry that is gone by now is no folder. */
  async function isFolder(bytes: Buffer): Promise<boolean> {
    try {
      const stats = await files.lstat(Buffer.concat([path, Buffer.from(sep), bytes]))
      return stats.isDirectory()
    } catch {
      return false
    }
  }
}
