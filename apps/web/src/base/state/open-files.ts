import type { OpenFolder } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'

/** A file manager on screen, as keys and palette need it. */
export interface OpenFiles {
  folder(): OpenFolder
  /** Goes to a name of the folder and opens it. */
  open(name: string): void
}

let current: OpenFiles | null = null

export const openFiles = (): OpenFiles | null => current

export function showOpenFiles(files: OpenFiles): Cancel {
  current = files
  return () => {
    if (current === files) current = null
  }
}
