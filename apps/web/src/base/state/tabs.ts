import { ports } from '../ports.ts'

/** Messages between tabs, which share one sign-in: it is about to end, or it has changed. */
export type TabMessage = 'leaving' | 'changed'

/** Time for the other tabs to send their pending calls where a page has no locks (plain HTTP), in ms. */
const graceMs = 250
/** A tab that gets no answer doesn’t keep the others signed in. */
const maxWaitMs = 10_000

const pending = 'quarterdeck-pending'
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('quarterdeck')
const locks = (): LockManager | undefined => navigator.locks

export function notifyTabs(message: TabMessage): void {
  channel?.postMessage(message)
}

/** Tells the other tabs that the sign-in ends. Resolves when their pending calls have been answered. */
export async function leaveTabs(): Promise<void> {
  notifyTabs('leaving')
  const all = locks()
  if (!all) return new Promise((resolve) => void ports.setTimer(resolve, graceMs))
  // Refused after `maxWaitMs`.
  await all.request(pending, { signal: AbortSignal.timeout(maxWaitMs) }, () => undefined).catch(() => undefined)
}

/** Keeps a sign-out in another tab waiting for this. */
export function keepSignedIn(end: Promise<unknown>): void {
  void locks()?.request(pending, { mode: 'shared' }, () => end)
}

export function onTabMessage(listen: (message: TabMessage) => void): void {
  channel?.addEventListener('message', ({ data }) => listen(data as TabMessage))
}
