import type { Cancel } from '@qd/core/api'
import { isFormOpen, leaveForm } from '../../base/state/form-leaving.ts'
import { overlays$, questions } from '../../base/state/overlays.ts'
import { stepHere, stepIn } from './navigate.ts'

/**
 * Back with something open over the page is about that, not about the page behind it: a form asks before it goes, all else closes.
 * To be called before the router listens. Returns the function that ends it.
 */
export function guardBack(): Cancel {
  let isReturning = false
  const listen = (event: PopStateEvent) => {
    const steps = stepHere() - stepIn(event.state)
    if (isReturning || (steps !== 0 && isSomethingOpen())) event.stopImmediatePropagation()
    else return
    if (isReturning) {
      isReturning = false
      return
    }
    isReturning = true
    history.go(steps)
    closeTop()
  }
  addEventListener('popstate', listen, { capture: true })
  return () => removeEventListener('popstate', listen, { capture: true })
}

function isSomethingOpen(): boolean {
  return questions.current() !== null || isFormOpen() || Object.values(overlays$.peek()).some(Boolean)
}

/** Closes what lies on top; a secret that is shown once stays. */
function closeTop(): void {
  const asked = questions.current()
  const { palette, keys, activity, report } = overlays$.peek()
  if (asked && asked.question.args === null) asked.answer(null)
  else if (palette) overlays$.palette.set(null)
  else if (isFormOpen()) void leaveForm()
  else if (keys || activity || report) overlays$.assign({ keys: false, activity: false, report: null })
}
