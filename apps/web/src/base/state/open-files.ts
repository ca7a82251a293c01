import type { OpenFolder } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'

export interface OpenFiles {
  folder(): OpenFolder
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
