import { createRunner, type Runner } from '@qd/core/store'
import { ports } from '../ports.ts'
import { client, records, session, view, waitsIn } from './stores.ts'

export const runner: Runner = createRunner({ client, clock: ports, records, session, view })
waitsIn(runner.waiting)

/** Browsers limit all keepalive requests of a page to 64 KiB together. */
const sendableChars = 48_000

addEventListener('beforeunload', (event) => {
  if (runner.waiting.size() <= sendableChars) return
  // A larger amount needs the page to stay: the browser asks, and meanwhile it is sent.
  event.preventDefault()
  void runner.waiting.flush()
})
addEventListener('pagehide', () => void runner.waiting.flush({ leaving: true }))
