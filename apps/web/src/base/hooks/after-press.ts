/** What waits for the press that is going on; null while nothing is pressed. */
let waiting: (() => void)[] | null = null

const begin = () => {
  waiting ??= []
}

/** Waits one turn, so that the pressed control has reacted. If another press follows at once, both end together. */
const end = () => {
  const over = waiting
  setTimeout(() => {
    if (waiting !== over) return
    waiting = null
    for (const change of over ?? []) change()
  })
}

for (const name of ['pointerdown', 'mousedown']) addEventListener(name, begin, true)
for (const name of ['pointerup', 'pointercancel', 'mouseup', 'dragend', 'blur']) {
  addEventListener(name, (event) => (name !== 'blur' || event.target === window) && end(), true)
}

/**
 * Does what may move the page when nothing is being pressed: at once, or after the press that is going on. A press takes the
 * focus from a field before it has hit; an error that appears just then would move its target away.
 */
export function afterPress(change: () => void): void {
  if (waiting) waiting.push(change)
  else change()
}
