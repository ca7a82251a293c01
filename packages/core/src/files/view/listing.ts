import { type FolderEntry, isFolder } from './folder-order.ts'
import { lastName, normalPath, parentPath } from './paths.ts'

/** A folder as a server answered it: the path may be another than the one asked for. */
export interface Listing<Entry extends FolderEntry = FolderEntry> {
  readonly path: string
  readonly entries: readonly Entry[]
  /** Entries are missing. */
  readonly isCut?: boolean
}

/**
 * The folder that a file lies in, for a list that was asked for the file's path and answered with another folder; null where there is no
 * such file.
 */
export async function listAround<Answer extends Listing>(
  list: (path: string) => Promise<Answer>,
  path: string,
): Promise<Answer | null> {
  const parent = parentPath(path)
  if (parent === null) return null
  const around = await list(parent)
  const isThere = around.entries.some((entry) => entry.name === lastName(path) && !isFolder(entry))
  return isThere && normalPath(around.path) === parent ? around : null
}
