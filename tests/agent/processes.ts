import { readFileSync } from 'node:fs'

/** The states of a process that has ended and only waits to be collected: zombie and dead. */
const gone = /^State:\t[ZXx]/m

/** Whether a process runs. Its state is asked, not its command line: that is empty for a moment while a program is being loaded. */
export const isAlive = (pid: number): boolean => {
  try {
    return !gone.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
