import { createRunner, type Runner } from '@qd/core/store'
import { ports } from '../ports.ts'
import { client, records, session, view, waitsIn } from './stores.ts'

/** Runs actions and saves forms: keeps lists true, the undo of the last edit and the list of what was done. Fetched with the first of them. */
export const runner: Runner = createRunner({ client, clock: ports, records, session, view })
waitsIn(runner.waiting)

/** What a page that is left can still send: browsers give all its last requests 64 KiB together. */
const sendableChars = 48_000

addEventListener('beforeunload', (event) => {
  if (runner.waiting.size() <= sendableChars) return
  // More than that needs the page a moment longer: the browser asks, and meanwhile it is sent.
  event.preventDefault()
  void runner.waiting.flush()
})
addEventListener('pagehide', () => void runner.waiting.flush({ leaving: true }))
