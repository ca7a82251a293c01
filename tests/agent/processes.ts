import { readFileSync } from 'node:fs'

/** Whether a process runs; a killed one that nobody has waited for yet has no command line any more. */
export const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}
