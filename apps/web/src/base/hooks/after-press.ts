/** Callbacks for the end of the current press; null while nothing is pressed. */
let waiting: (() => void)[] | null = null

const begin = () => {
  waiting ??= []
}

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
 * Runs a change that may move the page after the current press. A press blurs the field before the click lands, and an
 * error shown at that moment would move the target away.
 */
export function afterPress(change: () => void): void {
  if (waiting) waiting.push(change)
  else change()
}
