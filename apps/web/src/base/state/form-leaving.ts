import type { Cancel } from '@qd/core/api'

let leaving: (() => Promise<boolean>) | null = null

/** The open form’s check before it is left. Returns the function that removes it. */
export function setLeaving(ask: () => Promise<boolean>): Cancel {
  leaving = ask
  return () => {
    if (leaving === ask) leaving = null
  }
}

export async function leaveForm(): Promise<boolean> {
  return (await leaving?.()) ?? true
}

export function isFormOpen(): boolean {
  return leaving !== null
}
