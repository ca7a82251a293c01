import type { Cancel } from '@qd/core/api'

let leaving: (() => Promise<boolean>) | null = null

/** The form on screen says how it is left: it asks where something would be lost. Returns the function that takes that back. */
export function setLeaving(ask: () => Promise<boolean>): Cancel {
  leaving = ask
  return () => {
    if (leaving === ask) leaving = null
  }
}

/** Closes the form on screen, if there is one; false when the person stays. */
export async function leaveForm(): Promise<boolean> {
  return (await leaving?.()) ?? true
}

/** True while a form is on screen that is asked before it is left. */
export function isFormOpen(): boolean {
  return leaving !== null
}
