import { ports } from '../../base/ports.ts'
import { arrive, isUnderway, onArrival } from '../places/arrival.ts'

/** After this long a page that does not come gets no keys any more; what was typed for it is dropped. */
const patienceMs = 10_000
const named = ['Enter', 'Escape', 'Delete', 'Backspace', 'Home', 'End', 'PageUp', 'PageDown']

/** Keys for a page that is on its way, in their order. */
let waiting: KeyboardEvent[] = []
let cancel = () => {}

/** True for a key that waits until the page on its way is on screen, so that it does not act on the page that is being left. */
export function waitsForPage(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (!isUnderway() || ctrlKey || metaKey || altKey) return false
  if (key.length > 1 && !named.includes(key) && !key.startsWith('Arrow')) return false
  if (waiting.length === 0) cancel = ports.setTimer(giveUp, patienceMs)
  waiting.push(event)
  return true
}

function giveUp(): void {
  waiting = []
  arrive(location.pathname)
}

/** Hands on what waits as soon as its page is on screen; a key that asks for another page lets the rest wait again. Returns the function that ends that. */
export function handOnKeys(handle: (event: KeyboardEvent) => void): () => void {
  return onArrival(() => {
    cancel()
    const keys = waiting
    waiting = []
    for (const event of keys) handle(event)
  })
}
